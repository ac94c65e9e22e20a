import { ApiError } from '../domain/api-error.ts';
import { errorCatalogue, type ServiceError } from '../domain/errors.ts';
import { publicMessage } from '../rpc/connect-error.ts';

/** An error as the REST door answers it. */
export interface ErrorAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/**
 * Writes a failure as the path's part of the interface wants it: a problem document (RFC 9457), or under /api
 * `{"ok": false, "error": "<message>"}`. Causes never show.
 *
 * @param errorsBase address prefix of the `type` URI
 */
export function toErrorAnswer(
  error: ServiceError,
  request: { readonly path: string; readonly requestId: string },
  errorsBase: string,
): ErrorAnswer {
  const status = statusOf(error);
  const headers: Record<string, string> = {};
  if (error.retryAfterSeconds !== undefined) headers['retry-after'] = String(error.retryAfterSeconds);
  if (isApiPath(request.path)) {
    headers['content-type'] = 'application/json';
    return { status, headers, body: JSON.stringify({ ok: false, error: publicMessage(error) }) };
  }
  headers['content-type'] = 'application/problem+json';
  if (status === 401) headers['www-authenticate'] = 'Bearer';
  const body = JSON.stringify({
    type: `${errorsBase}/${error.slug}`,
    title: error.title,
    status,
    detail: error.detail,
    request_id: request.requestId,
    errors: error.violations.length === 0 ? undefined : error.violations,
    ...error.extra,
  });
  return { status, headers, body };
}

/** Returns the HTTP status of a failure: its own, as failures of /api have, or that of its slug. */
export function statusOf(error: ServiceError): number {
  return error instanceof ApiError ? error.status : errorCatalogue[error.slug].status;
}

function isApiPath(path: string): boolean {
  return path === '/api' || path.startsWith('/api/');
}
