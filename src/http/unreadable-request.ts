import type { ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { ServiceError } from '../domain/errors.ts';

/**
 * Answers what is no HTTP request, or did not arrive in time, and closes the connection. There is no route yet, so the
 * answer is a problem document without an address of its own.
 */
export function answerUnreadable(error: Error & { code?: string }, socket: Duplex): void {
  // As Node's own default asks: an answer that has begun is not followed by a second one.
  const { _httpMessage: answer } = socket as { _httpMessage?: ServerResponse | null };
  if (!socket.writable || error.code === 'ECONNRESET' || answer?.headersSent === true) {
    socket.destroy();
    return;
  }
  const isLate = error.code === 'ERR_HTTP_REQUEST_TIMEOUT';
  const detail = isLate ? 'The request did not arrive in time.' : 'The request is not valid HTTP.';
  const status = isLate ? '408 Request Timeout' : '400 Bad Request';
  const { slug, title } = new ServiceError('invalid_request');
  const body = JSON.stringify({ type: `/errors/${slug}`, title, status: Number(status.slice(0, 3)), detail });
  socket.end(
    [
      `HTTP/1.1 ${status}`,
      'Connection: close',
      'Content-Type: application/problem+json',
      `Content-Length: ${Buffer.byteLength(body)}`,
      '',
      body,
    ].join('\r\n'),
  );
}
