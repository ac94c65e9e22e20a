import type { HeaderRecord } from './answer.ts';

/**
 * Keeps an implementation's content-type and content-length from breaking an RPC protocol, whose own type and length
 * differ from those of the file in its messages: the file's length goes out as `x-service-content-length`.
 *
 * @param contentType the protocol's own
 */
export function protectHeaders(headers: HeaderRecord, contentType: string): void {
  headers['content-type'] = contentType;
  const length = headers['content-length'];
  if (length === undefined) return;
  headers['x-service-content-length'] = length;
  delete headers['content-length'];
}
