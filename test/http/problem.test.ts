import { describe, expect, test } from 'vitest';
import { ApiError } from '../../src/domain/api-error.ts';
import { type ErrorSlug, errorCatalogue, ServiceError, specInvalid } from '../../src/domain/errors.ts';
import { toErrorAnswer } from '../../src/http/problem.ts';

const request = { path: '/v1/chat', requestId: 'r1' };
const errorsBase = 'https://e.example/errors';

describe('a problem document', () => {
  test.for(Object.keys(errorCatalogue) as ErrorSlug[])('of %s has its slug, title and status', (slug) => {
    const { status, headers, body } = toErrorAnswer(new ServiceError(slug), request, errorsBase);
    const { status: expected, title } = errorCatalogue[slug];
    expect(status).toBe(expected);
    expect(headers['content-type']).toBe('application/problem+json');
    expect(JSON.parse(body)).toEqual({
      type: `${errorsBase}/${slug}`,
      title,
      status: expected,
      request_id: 'r1',
    });
  });

  test('carries detail, violations, extra fields and Retry-After', () => {
    const violations = [{ pointer: '/a', detail: 'must be given' }];
    const extra = { used: 3, limit: 3 };
    const error = new ServiceError('usage_limit_exceeded', {
      detail: 'd',
      violations,
      extra,
      retryAfterSeconds: 9,
    });
    const { headers, body } = toErrorAnswer(error, request, errorsBase);
    expect(headers['retry-after']).toBe('9');
    expect(JSON.parse(body)).toMatchObject({ detail: 'd', errors: violations, used: 3, limit: 3 });
  });

  test('of a rejected spec is titled by engine and reason', () => {
    const { body } = toErrorAnswer(specInvalid('pdf', 'title must be given', '/title'), request, errorsBase);
    expect(JSON.parse(body)).toMatchObject({
      title: 'pdf: title must be given',
      errors: [{ pointer: '/title' }],
    });
  });

  test('never shows its cause', () => {
    const error = new ServiceError('internal_error', { cause: new Error('private text') });
    expect(JSON.stringify(toErrorAnswer(error, request, errorsBase))).not.toContain('private');
  });

  test('of two refused keys is the same, the request id aside', () => {
    const bodies = ['r1', 'r2'].map((requestId) => {
      const error = new ServiceError('invalid_token', { cause: new Error(requestId) });
      return JSON.stringify(toErrorAnswer(error, { ...request, requestId }, errorsBase)).replace(
        requestId,
        '',
      );
    });
    expect(bodies[0]).toBe(bodies[1]);
  });

  test('of /api has a status of its own there', () => {
    const error = new ApiError({
      status: 409,
      message: 'Agent is paused',
      grpc: 'FAILED_PRECONDITION',
      reason: 'AGENT_PAUSED',
    });
    const { status, body } = toErrorAnswer(error, { ...request, path: '/api/agents/1' }, errorsBase);
    expect([status, body]).toEqual([409, '{"ok":false,"error":"Agent is paused"}']);
  });

  test('is {ok, error} under /api', () => {
    const error = new ServiceError('not_found', { detail: 'Webhook not configured for this agent' });
    const { status, headers, body } = toErrorAnswer(error, { ...request, path: '/api/agents/1' }, errorsBase);
    expect([status, headers['content-type']]).toEqual([404, 'application/json']);
    expect(body).toBe('{"ok":false,"error":"Webhook not configured for this agent"}');
  });
});
