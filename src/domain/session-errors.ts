import { ApiError, type ApiErrorOptions } from './api-error.ts';

type SessionRefusal = Pick<ApiErrorOptions, 'status' | 'message' | 'grpc'>;

/** Every refusal of sign-in and of signed-in calls. The names are the gRPC reasons. */
export const sessionRefusals = {
  NOT_SIGNED_IN: { status: 401, grpc: 'UNAUTHENTICATED', message: 'Sign in first' },
  SIGN_IN_FAILED: { status: 401, grpc: 'UNAUTHENTICATED', message: 'E-mail address or password is wrong' },
  TOO_MANY_SIGN_INS: { status: 429, grpc: 'RESOURCE_EXHAUSTED', message: 'Too many failed sign-ins' },
  ORIGIN_MISMATCH: {
    status: 403,
    grpc: 'PERMISSION_DENIED',
    message: 'The Origin header must be that of the service',
  },
  CSRF_TOKEN_MISMATCH: {
    status: 403,
    grpc: 'PERMISSION_DENIED',
    message: 'X-CSRF-Token must be the token that the session shows',
  },
  ORGANIZATION_SUSPENDED: { status: 403, grpc: 'PERMISSION_DENIED', message: 'Organization is suspended' },
  ADMINISTRATOR_REQUIRED: {
    status: 403,
    grpc: 'PERMISSION_DENIED',
    message: 'Only administrators may do this',
  },
  OPERATOR_REQUIRED: {
    status: 403,
    grpc: 'PERMISSION_DENIED',
    message: "Only administrators of the operator's organization may do this",
  },
  SESSIONS_UNAVAILABLE: {
    status: 503,
    grpc: 'UNAVAILABLE',
    message: 'The session could not be checked. Try again',
  },
} as const satisfies Readonly<Record<string, SessionRefusal>>;

export type SessionReason = keyof typeof sessionRefusals;

export interface SessionErrorOptions {
  /** What to do or what was at fault; follows the message. */
  readonly hint?: string;
  readonly retryAfterSeconds?: number;
  /** For the log only. */
  readonly cause?: unknown;
}

export function sessionError(
  reason: SessionReason,
  { hint, ...options }: SessionErrorOptions = {},
): ApiError {
  const refusal = sessionRefusals[reason];
  const message = hint === undefined ? refusal.message : `${refusal.message}${hint}`;
  return new ApiError({ ...refusal, ...options, message, reason });
}
