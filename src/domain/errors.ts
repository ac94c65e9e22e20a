/** gRPC status codes by name, with their numbers (grpc/doc/statuscodes.md). */
export const grpcCode = {
  INVALID_ARGUMENT: 3,
  NOT_FOUND: 5,
  PERMISSION_DENIED: 7,
  RESOURCE_EXHAUSTED: 8,
  FAILED_PRECONDITION: 9,
  ABORTED: 10,
  INTERNAL: 13,
  UNAVAILABLE: 14,
  UNAUTHENTICATED: 16,
} as const;

export type GrpcCodeName = keyof typeof grpcCode;

interface CatalogueEntry {
  /** HTTP status of the problem document. */
  readonly status: number;
  /** Canonical gRPC code of the same failure. */
  readonly grpc: GrpcCodeName;
  /** Short summary; may change between releases, the slug may not. */
  readonly title: string;
  /** When it happens. */
  readonly condition: string;
  /** What a caller can do about it. */
  readonly remedy: string;
  /** Names of the extra fields that the problem document may carry. */
  readonly extra: readonly string[];
  /** Whether the same request may succeed later without a change. */
  readonly retryable: boolean;
}

/**
 * Every error of /v1: the one source of problem documents, gRPC statuses, the pages under
 * `/errors/<slug>`, the OpenAPI document and the README's table.
 */
export const errorCatalogue = {
  invalid_request: {
    status: 400,
    grpc: 'INVALID_ARGUMENT',
    title: 'The request is not valid',
    condition:
      'The body or a parameter failed validation: a required field is missing, has the wrong type, or cannot be parsed.',
    remedy: 'Correct the fields named in `errors` and send the request again.',
    extra: [],
    retryable: false,
  },
  unsafe_image_ref: {
    status: 400,
    grpc: 'INVALID_ARGUMENT',
    title: 'An image reference is not allowed',
    condition: 'A generator spec references a local path, a non-public address or a disallowed image source.',
    remedy: 'Use an inline data: URI (PNG, JPEG, GIF or WebP) or an https:// URL of a public host.',
    extra: [],
    retryable: false,
  },
  missing_token: {
    status: 401,
    grpc: 'UNAUTHENTICATED',
    title: 'No API key was sent',
    condition: 'The request has no Authorization header with a Bearer token.',
    remedy: 'Send `Authorization: Bearer <API_KEY>`.',
    extra: [],
    retryable: false,
  },
  invalid_token: {
    status: 401,
    grpc: 'UNAUTHENTICATED',
    title: 'The API key is not valid',
    condition: 'The key is malformed, unknown, expired or revoked.',
    remedy: 'Use a current key; an administrator can create or rotate one.',
    extra: [],
    retryable: false,
  },
  subscription_required: {
    status: 402,
    grpc: 'FAILED_PRECONDITION',
    title: 'The organization has no active subscription',
    condition: 'The organization of the key has no active subscription.',
    remedy: 'Activate a subscription.',
    extra: [],
    retryable: false,
  },
  insufficient_scope: {
    status: 403,
    grpc: 'PERMISSION_DENIED',
    title: 'The API key lacks a scope',
    condition: 'The key does not hold the scope that the endpoint needs.',
    remedy: 'Ask an administrator for a key with `required_scope`.',
    extra: ['required_scope', 'granted_scopes'],
    retryable: false,
  },
  trial_no_api_access: {
    status: 403,
    grpc: 'PERMISSION_DENIED',
    title: 'Trials have no API access',
    condition: 'The organization is on a self-serve trial.',
    remedy: 'Move the organization to a paid plan.',
    extra: [],
    retryable: false,
  },
  key_actor_revoked: {
    status: 403,
    grpc: 'PERMISSION_DENIED',
    title: 'The actor of the API key is no longer active',
    condition: 'The user or connection bot on whose behalf the key acts was deactivated.',
    remedy: 'Use a key of an active actor.',
    extra: [],
    retryable: false,
  },
  model_not_allowed: {
    status: 403,
    grpc: 'PERMISSION_DENIED',
    title: 'The model is not allowed',
    condition: 'The model is outside what the organization, the key and the actor may use.',
    remedy: 'Choose one of `allowed_models`.',
    extra: ['requested_model', 'allowed_models'],
    retryable: false,
  },
  org_suspended: {
    status: 403,
    grpc: 'PERMISSION_DENIED',
    title: 'The organization is suspended',
    condition: 'The organization of the key is suspended.',
    remedy: 'Contact the operator of the service.',
    extra: [],
    retryable: false,
  },
  not_found: {
    status: 404,
    grpc: 'NOT_FOUND',
    title: 'Not found',
    condition: 'The resource or route does not exist, or is not visible to the key.',
    remedy: 'Check the path, the method and the id.',
    extra: [],
    retryable: false,
  },
  conversation_not_found: {
    status: 404,
    grpc: 'NOT_FOUND',
    title: 'The conversation was not found',
    condition: 'The conversation_id of a chat does not exist for this organization or actor.',
    remedy: 'Omit conversation_id to start a new conversation.',
    extra: [],
    retryable: false,
  },
  request_in_progress: {
    status: 409,
    grpc: 'ABORTED',
    title: 'A request is still in progress',
    condition:
      'A request with the same Idempotency-Key, or another turn of the same conversation, is still being processed.',
    remedy: 'Wait for the first request to end.',
    extra: [],
    retryable: true,
  },
  payload_too_large: {
    status: 413,
    grpc: 'RESOURCE_EXHAUSTED',
    title: 'The request body is too large',
    condition: 'The body is over the limit of the endpoint (1 MB for JSON).',
    remedy: 'Send a smaller body.',
    extra: [],
    retryable: false,
  },
  spec_too_large: {
    status: 413,
    grpc: 'RESOURCE_EXHAUSTED',
    title: 'The spec is too large',
    condition: "The generator spec is over the generator's own size limit.",
    remedy: 'Split the document.',
    extra: [],
    retryable: false,
  },
  spec_invalid: {
    status: 422,
    grpc: 'INVALID_ARGUMENT',
    title: 'The generator rejected the spec',
    condition: 'The generator rejected the spec; the title names the engine and the reason.',
    remedy: 'Correct the spec.',
    extra: [],
    retryable: false,
  },
  rate_limit_exceeded: {
    status: 429,
    grpc: 'RESOURCE_EXHAUSTED',
    title: 'The hourly request limit of the API key is exceeded',
    condition: 'The key made more calls than its hourly limit allows.',
    remedy: 'Wait for the seconds of Retry-After.',
    extra: ['retry_after', 'used', 'limit'],
    retryable: true,
  },
  ip_rate_limit_exceeded: {
    status: 429,
    grpc: 'RESOURCE_EXHAUSTED',
    title: 'Too many requests from this address',
    condition: 'The coarse throttle per client address was hit, before any key was looked at.',
    remedy: 'Wait for the seconds of Retry-After.',
    extra: [],
    retryable: true,
  },
  usage_limit_exceeded: {
    status: 429,
    grpc: 'RESOURCE_EXHAUSTED',
    title: 'A usage limit is reached',
    condition: "The actor's own limit or the organization's shared usage pool is used up for its window.",
    remedy: 'Wait for the seconds of Retry-After.',
    extra: ['unit', 'used', 'limit'],
    retryable: true,
  },
  budget_exhausted: {
    status: 429,
    grpc: 'RESOURCE_EXHAUSTED',
    title: 'The token budget is used up',
    condition: "The key's token budget or the organization's token pool is consumed for this cycle.",
    remedy: 'Wait for the next cycle, or have the budget raised.',
    extra: ['used', 'in_flight', 'limit'],
    retryable: false,
  },
  internal_error: {
    status: 500,
    grpc: 'INTERNAL',
    title: 'Something went wrong',
    condition: 'An unexpected failure inside the service.',
    remedy: 'Try again with exponential backoff; quote `request_id` when it persists.',
    extra: [],
    retryable: true,
  },
  engine_returned_empty: {
    status: 500,
    grpc: 'INTERNAL',
    title: 'The generator produced an empty file',
    condition: 'The generator produced an empty file.',
    remedy: 'Try again.',
    extra: [],
    retryable: true,
  },
  extension_config_error: {
    status: 500,
    grpc: 'INTERNAL',
    title: 'The tools of the API key could not be set up',
    condition: "The key's extension tools could not be initialized.",
    remedy: 'Try again; have the connection tested when it persists.',
    extra: [],
    retryable: true,
  },
  budget_check_failed: {
    status: 503,
    grpc: 'UNAVAILABLE',
    title: 'The budget could not be checked',
    condition: 'Budget enforcement is unavailable; the service fails closed.',
    remedy: 'Try again with exponential backoff.',
    extra: [],
    retryable: true,
  },
  entitlement_check_failed: {
    status: 503,
    grpc: 'UNAVAILABLE',
    title: 'The API entitlement could not be confirmed',
    condition: 'The API entitlement could not be confirmed; the service fails closed.',
    remedy: 'Try again with exponential backoff.',
    extra: [],
    retryable: true,
  },
  policy_lookup_failed: {
    status: 503,
    grpc: 'UNAVAILABLE',
    title: 'A policy could not be read',
    condition: 'The model or mode policy could not be read; the service fails closed.',
    remedy: 'Try again with exponential backoff.',
    extra: [],
    retryable: true,
  },
} as const satisfies Record<string, CatalogueEntry>;

export type ErrorSlug = keyof typeof errorCatalogue;

/** One field at fault: a JSON pointer into the request body (RFC 6901) and what is wrong there. */
export interface FieldViolation {
  readonly pointer: string;
  readonly detail: string;
}

export interface ServiceErrorOptions {
  /** Replaces the catalogue's title (used by `spec_invalid`, whose title names engine and reason). */
  readonly title?: string;
  /** What was wrong, for the caller; never internals. */
  readonly detail?: string;
  /** Extra fields of the problem document, by the names that the catalogue lists. */
  readonly extra?: Readonly<Record<string, unknown>>;
  readonly violations?: readonly FieldViolation[];
  /** Whole seconds; sent as Retry-After and as RetryInfo. */
  readonly retryAfterSeconds?: number;
  /** The private cause, for the log only. */
  readonly cause?: unknown;
}

/** The one failure that crosses module borders: a slug of the catalogue, a public detail, a private cause. */
export class ServiceError extends Error {
  readonly slug: ErrorSlug;
  readonly title: string;
  readonly detail: string | undefined;
  readonly extra: Readonly<Record<string, unknown>>;
  readonly violations: readonly FieldViolation[];
  readonly retryAfterSeconds: number | undefined;

  constructor(slug: ErrorSlug, options: ServiceErrorOptions = {}) {
    super(options.detail ?? options.title ?? errorCatalogue[slug].title, { cause: options.cause });
    this.name = 'ServiceError';
    this.slug = slug;
    this.title = options.title ?? errorCatalogue[slug].title;
    this.detail = options.detail;
    this.extra = options.extra ?? {};
    this.violations = options.violations ?? [];
    this.retryAfterSeconds = options.retryAfterSeconds;
  }
}

/** Returns `error` itself when it is a ServiceError, else an `internal_error` that keeps it as its cause. */
export function toServiceError(error: unknown): ServiceError {
  return error instanceof ServiceError ? error : new ServiceError('internal_error', { cause: error });
}

export type EngineName = 'excel' | 'pdf' | 'pptx' | 'docx';

/** A spec that the engine rejects: the title names the engine and the reason, as in `excel: columns must be a non-empty array`. */
export function specInvalid(
  engine: EngineName,
  reason: string,
  pointer?: string,
  cause?: unknown,
): ServiceError {
  return new ServiceError('spec_invalid', {
    title: `${engine}: ${reason}`,
    detail: reason,
    violations: pointer === undefined ? [] : [{ pointer, detail: reason }],
    cause,
  });
}
