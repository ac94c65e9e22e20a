import type { ServerHttp2Stream } from 'node:http2';
import type { Readable } from 'node:stream';
import type { Request, Response } from './call.ts';
import { endChunks } from './write-chunk.ts';

/** Bytes of an unwanted body that are taken from the wire, so that a client that is still sending gets its answer. */
const lingerBytes = 262_144;
const lingerMs = 1_000;

/** Tells whether a request has a body of which something has not been read yet. */
export function isUnread(req: Request): boolean {
  if (req.readableEnded || req.complete) return false;
  if (req.stream !== undefined) return !req.stream.endAfterHeaders;
  return req.headers['transfer-encoding'] !== undefined || Number(req.headers['content-length'] ?? 0) > 0;
}

/**
 * Ends an answer whose request is still arriving: a bounded part of the rest is read and dropped, then the connection
 * (HTTP/2: the stream) is closed. Closing at once would reset it, and a client in the midst of sending would lose the
 * answer (RFC 9112, section 9.6).
 */
export function endUnread(req: Request, res: Response, body: string | Uint8Array): void {
  if (req.stream !== undefined) {
    res.end(body);
    dropRest(req.stream);
    return;
  }
  // Over HTTP/1 the end closes the connection, so that it must wait.
  if (body !== '') res.write(body);
  else res.flushHeaders();
  drop(req, () => endChunks(res));
}

/** Reads and drops a bounded part of what still arrives on a stream that is answered, then resets it without an error. */
export function dropRest(stream: ServerHttp2Stream): void {
  drop(stream, (isRead) => {
    // A stream that was read to its end closes by itself, after its trailers.
    if (!isRead && !stream.destroyed) stream.close();
  });
}

function drop(source: Readable, then: (isRead: boolean) => void): void {
  let bytes = 0;
  const settle = (isRead: boolean): void => {
    clearTimeout(timer);
    source.off('data', count).off('end', onEnd).off('close', onEnd);
    then(isRead);
  };
  const onEnd = (): void => settle(true);
  const count = (chunk: Buffer): void => {
    bytes += chunk.length;
    if (bytes > lingerBytes) settle(false);
  };
  const timer = setTimeout(() => settle(false), lingerMs);
  source.on('data', count).once('end', onEnd).once('close', onEnd);
}
