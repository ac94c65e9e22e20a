import { sessionError } from '../../domain/session-errors.ts';

/**
 * Holds a call against the service's own origin: its Origin header, compared as text, or where it has none the origin
 * of its Referer. Browsers send Origin with every request that can change something.
 *
 * @param origin scheme, host and port as a browser writes them (RFC 6454 section 6.2)
 * @param isNeeded whether a call with neither header is refused
 * @throws ApiError 403
 */
export function assertOrigin(header: Headers, origin: string, isNeeded: boolean): void {
  const sent = header.get('origin') ?? originOf(header.get('referer'));
  if (sent === undefined ? isNeeded : sent !== origin) {
    throw sessionError('ORIGIN_MISMATCH', { hint: `, ${origin}` });
  }
}

function originOf(referer: string | null): string | undefined {
  return referer === null ? undefined : (URL.parse(referer)?.origin ?? 'null');
}
