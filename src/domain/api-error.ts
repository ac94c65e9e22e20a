import { type ErrorSlug, type GrpcCodeName, ServiceError } from './errors.ts';

/** Codes that only /api answers with, beside those of the catalogue (grpc/doc/statuscodes.md). */
export const apiGrpcCode = { ALREADY_EXISTS: 6 } as const;

export type ApiGrpcCodeName = GrpcCodeName | keyof typeof apiGrpcCode;

export interface ApiErrorOptions {
  /** HTTP status under /api. */
  readonly status: number;
  /** The whole text for the caller. */
  readonly message: string;
  readonly grpc: ApiGrpcCodeName;
  /** `reason` of google.rpc.ErrorInfo, in UPPER_SNAKE_CASE. */
  readonly reason: string;
  /** Whole seconds; sent as Retry-After and as RetryInfo. */
  readonly retryAfterSeconds?: number;
  /** For the log only. */
  readonly cause?: unknown;
}

/**
 * A failure of /api, which has statuses and texts of its own: `{"ok": false, "error": "<message>"}`. Where only a
 * catalogue entry will do, it is the one nearest to its status.
 */
export class ApiError extends ServiceError {
  readonly status: number;
  readonly grpc: ApiGrpcCodeName;
  readonly reason: string;

  constructor({ status, message, grpc, reason, ...options }: ApiErrorOptions) {
    super(nearestSlug[status] ?? 'internal_error', { ...options, detail: message });
    this.name = 'ApiError';
    this.status = status;
    this.grpc = grpc;
    this.reason = reason;
  }
}

const nearestSlug: Readonly<Record<number, ErrorSlug>> = {
  400: 'invalid_request',
  401: 'invalid_token',
  403: 'org_suspended',
  404: 'not_found',
  409: 'request_in_progress',
  429: 'rate_limit_exceeded',
};
