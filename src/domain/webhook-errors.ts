import { ApiError, type ApiErrorOptions } from './api-error.ts';

type WebhookRefusal = Pick<ApiErrorOptions, 'status' | 'message' | 'grpc'>;

/** Every refusal of a webhook trigger, as the interface has it (section 7.3). The names are the gRPC reasons. */
export const webhookRefusals = {
  TOO_MANY_TRIGGERS: {
    status: 429,
    grpc: 'RESOURCE_EXHAUSTED',
    message: 'Too many webhook triggers, or attempts from this IP',
  },
  WEBHOOK_NOT_CONFIGURED: {
    status: 404,
    grpc: 'NOT_FOUND',
    message: 'Webhook not configured for this agent',
  },
  TIMESTAMP_REQUIRED: {
    status: 401,
    grpc: 'UNAUTHENTICATED',
    message: 'X-Webhook-Timestamp header is required',
  },
  TIMESTAMP_OUT_OF_WINDOW: {
    status: 401,
    grpc: 'UNAUTHENTICATED',
    message: 'Webhook timestamp older than 5 minutes, or is in the future',
  },
  INVALID_SIGNATURE: { status: 401, grpc: 'UNAUTHENTICATED', message: 'Invalid signature' },
  ORGANIZATION_SUSPENDED: { status: 403, grpc: 'PERMISSION_DENIED', message: 'Organization is suspended' },
  AGENT_EXPIRED: { status: 400, grpc: 'FAILED_PRECONDITION', message: 'Agent has expired' },
  AGENT_PAUSED: { status: 409, grpc: 'FAILED_PRECONDITION', message: 'Agent is paused' },
  WEBHOOK_REPLAY: { status: 409, grpc: 'ALREADY_EXISTS', message: 'Webhook replay detected' },
} as const satisfies Readonly<Record<string, WebhookRefusal>>;

export type WebhookReason = keyof typeof webhookRefusals;

/** @param retryAfterSeconds for TOO_MANY_TRIGGERS; told in the message too. */
export function webhookError(reason: WebhookReason, retryAfterSeconds?: number): ApiError {
  const refusal = webhookRefusals[reason];
  if (retryAfterSeconds === undefined) return new ApiError({ ...refusal, reason });
  const message = `${refusal.message}. Try again in ${retryAfterSeconds} s.`;
  return new ApiError({ ...refusal, message, reason, retryAfterSeconds });
}
