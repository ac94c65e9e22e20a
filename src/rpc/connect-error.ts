import { Code, ConnectError } from '@connectrpc/connect';
import { BadRequestSchema, ErrorInfoSchema, RetryInfoSchema } from '../../gen/google/rpc/error_details_pb.ts';
import { ApiError, apiGrpcCode } from '../domain/api-error.ts';
import { errorCatalogue, grpcCode, ServiceError, toServiceError } from '../domain/errors.ts';

/**
 * Returns the error that Connect and gRPC put on the wire for a failure, with the ServiceError as its cause: canonical
 * code, `google.rpc.ErrorInfo` (reason: the slug in UPPER_SNAKE_CASE, metadata: the extra fields as strings),
 * `BadRequest` for violations and `RetryInfo` where Retry-After is sent. A ConnectError is returned as it is; what is
 * neither becomes `internal_error`, its own text kept in the cause alone.
 *
 * @param errorDomain host of the error addresses, the domain of ErrorInfo (AIP-193)
 */
export function toConnectError(error: unknown, errorDomain: string): ConnectError {
  if (error instanceof ConnectError) return error;
  const failure = toServiceError(error);
  const { grpc } = failure instanceof ApiError ? failure : errorCatalogue[failure.slug];
  const retryAfter = failure.retryAfterSeconds;
  return new ConnectError(
    publicMessage(failure),
    { ...grpcCode, ...apiGrpcCode }[grpc],
    retryAfter === undefined ? undefined : { 'retry-after': String(retryAfter) },
    detailsOf(failure, errorDomain),
    failure,
  );
}

type OutgoingDetail = NonNullable<ConstructorParameters<typeof ConnectError>[3]>[number];

/** Returns the ServiceError of a failure: itself, its cause, or the slug nearest to a code that Connect chose. */
export function fromConnectError(error: unknown): ServiceError {
  if (!(error instanceof ConnectError)) return toServiceError(error);
  if (error.cause instanceof ServiceError) return error.cause;
  switch (error.code) {
    case Code.InvalidArgument:
    case Code.OutOfRange:
      return new ServiceError('invalid_request', { cause: error });
    case Code.NotFound:
    case Code.Unimplemented:
      return new ServiceError('not_found', { cause: error });
    case Code.ResourceExhausted:
      return new ServiceError('payload_too_large', { cause: error });
    default:
      return new ServiceError('internal_error', { cause: error });
  }
}

/** Returns the one line that says to a caller what went wrong: its own title, else its detail, else the catalogue's title. */
export function publicMessage(error: ServiceError): string {
  return error.title === errorCatalogue[error.slug].title ? (error.detail ?? error.title) : error.title;
}

function detailsOf(error: ServiceError, domain: string): OutgoingDetail[] {
  const reason = error instanceof ApiError ? error.reason : error.slug.toUpperCase();
  const details: OutgoingDetail[] = [
    {
      desc: ErrorInfoSchema,
      value: { reason, domain, metadata: toMetadata(error.extra) },
    },
  ];
  if (error.violations.length > 0) {
    const fieldViolations = error.violations.map(({ pointer, detail }) => ({
      field: pointer,
      description: detail,
    }));
    details.push({ desc: BadRequestSchema, value: { fieldViolations } });
  }
  if (error.retryAfterSeconds !== undefined) {
    const retryDelay = { seconds: BigInt(error.retryAfterSeconds) };
    details.push({ desc: RetryInfoSchema, value: { retryDelay } });
  }
  return details;
}

function toMetadata(extra: Readonly<Record<string, unknown>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(extra).map(([name, value]) => [
      name,
      typeof value === 'string' ? value : JSON.stringify(value),
    ]),
  );
}
