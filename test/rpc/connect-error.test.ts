import { create } from '@bufbuild/protobuf';
import { Code, ConnectError } from '@connectrpc/connect';
import { describe, expect, test } from 'vitest';
import { BadRequestSchema, ErrorInfoSchema, RetryInfoSchema } from '../../gen/google/rpc/error_details_pb.ts';
import { ApiError } from '../../src/domain/api-error.ts';
import {
  type ErrorSlug,
  errorCatalogue,
  grpcCode,
  ServiceError,
  specInvalid,
} from '../../src/domain/errors.ts';
import { fromConnectError, toConnectError } from '../../src/rpc/connect-error.ts';

const domain = 'e.example';

function detailOf(error: ConnectError, typeName: string) {
  const found = error.details.find((each) => 'desc' in each && each.desc.typeName === typeName);
  return found !== undefined && 'desc' in found ? create(found.desc, found.value) : undefined;
}

describe('an error on the wire', () => {
  test.for(Object.keys(errorCatalogue) as ErrorSlug[])(
    'of %s has the canonical code and its slug as the reason',
    (slug) => {
      const error = toConnectError(new ServiceError(slug), domain);
      expect(error.code).toBe(grpcCode[errorCatalogue[slug].grpc]);
      expect(detailOf(error, ErrorInfoSchema.typeName)).toMatchObject({ reason: slug.toUpperCase(), domain });
    },
  );

  test('says what the title says when it has one of its own, else the detail, else the title of the catalogue', () => {
    const messages = [
      specInvalid('excel', 'columns must be a non-empty array', '/columns'),
      new ServiceError('not_found', { detail: 'There is no such path.' }),
      new ServiceError('not_found'),
    ].map((error) => toConnectError(error, domain).rawMessage);
    expect(messages).toEqual([
      'excel: columns must be a non-empty array',
      'There is no such path.',
      'Not found',
    ]);
  });

  test('carries extra fields as text, violations and the time to wait', () => {
    const error = toConnectError(
      new ServiceError('usage_limit_exceeded', {
        extra: { unit: 'tokens', used: 5, list: ['a'] },
        violations: [{ pointer: '/a', detail: 'must be given' }],
        retryAfterSeconds: 8,
      }),
      domain,
    );
    expect(detailOf(error, ErrorInfoSchema.typeName)).toMatchObject({
      metadata: { unit: 'tokens', used: '5', list: '["a"]' },
    });
    expect(detailOf(error, BadRequestSchema.typeName)).toMatchObject({
      fieldViolations: [{ field: '/a', description: 'must be given' }],
    });
    expect(detailOf(error, RetryInfoSchema.typeName)).toMatchObject({ retryDelay: { seconds: 8n } });
    expect(error.metadata.get('retry-after')).toBe('8');
  });

  test('keeps what is no ServiceError in its cause alone', () => {
    const error = toConnectError(new Error('private text'), domain);
    expect([error.code, error.rawMessage]).toEqual([Code.Internal, 'Something went wrong']);
    expect((error.cause as ServiceError).cause).toMatchObject({ message: 'private text' });
  });

  test('of /api has a code and a reason of its own', () => {
    const failure = new ApiError({
      status: 409,
      message: 'Taken',
      grpc: 'ALREADY_EXISTS',
      reason: 'EMAIL_TAKEN',
    });
    const error = toConnectError(failure, domain);
    expect([error.code, error.rawMessage]).toEqual([Code.AlreadyExists, 'Taken']);
    expect(detailOf(error, ErrorInfoSchema.typeName)).toMatchObject({ reason: 'EMAIL_TAKEN' });
  });

  test('that Connect has made stays as it is', () => {
    const error = new ConnectError('late', Code.DeadlineExceeded);
    expect(toConnectError(error, domain)).toBe(error);
  });
});

describe('the way back', () => {
  test('is the ServiceError that it was made from', () => {
    const error = new ServiceError('not_found');
    expect(fromConnectError(toConnectError(error, domain))).toBe(error);
  });

  test.for([
    [Code.InvalidArgument, 'invalid_request'],
    [Code.OutOfRange, 'invalid_request'],
    [Code.NotFound, 'not_found'],
    [Code.Unimplemented, 'not_found'],
    [Code.ResourceExhausted, 'payload_too_large'],
    [Code.DeadlineExceeded, 'internal_error'],
    [Code.Unknown, 'internal_error'],
  ] as const)('finds the slug nearest to the code %i: %s', ([code, slug]) => {
    expect(fromConnectError(new ConnectError('private text', code))).toMatchObject({
      slug,
      detail: undefined,
    });
  });
});
