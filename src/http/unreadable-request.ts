import { randomUUID } from 'node:crypto';
import { maxHeaderSize, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { ServiceError } from '../domain/errors.ts';

const details: Readonly<Record<string, string>> = {
  ERR_HTTP_REQUEST_TIMEOUT: 'The request did not arrive in time.',
  HPE_HEADER_OVERFLOW: `The request line and the headers are larger than ${maxHeaderSize} bytes.`,
};

/**
 * Answers what is no HTTP request, or did not arrive in time, with a problem document, and closes the connection.
 *
 * @param errorsBase address prefix of the `type` URI
 */
export function answerUnreadable(error: Error & { code?: string }, socket: Duplex, errorsBase: string): void {
  // As Node's own default asks: an answer that has begun is not followed by a second one.
  const { _httpMessage: answer } = socket as { _httpMessage?: ServerResponse | null };
  if (!socket.writable || error.code === 'ECONNRESET' || answer?.headersSent === true) {
    socket.destroy();
    return;
  }
  const isLate = error.code === 'ERR_HTTP_REQUEST_TIMEOUT';
  const detail = details[error.code ?? ''] ?? 'The request is not valid HTTP.';
  const status = isLate ? '408 Request Timeout' : '400 Bad Request';
  const { slug, title } = new ServiceError('invalid_request');
  const requestId = randomUUID();
  const body = JSON.stringify({
    type: `${errorsBase}/${slug}`,
    title,
    status: Number(status.slice(0, 3)),
    detail,
    request_id: requestId,
  });
  socket.end(
    [
      `HTTP/1.1 ${status}`,
      'Connection: close',
      'Content-Type: application/problem+json',
      `X-Request-Id: ${requestId}`,
      `Content-Length: ${Buffer.byteLength(body)}`,
      '',
      body,
    ].join('\r\n'),
  );
}
