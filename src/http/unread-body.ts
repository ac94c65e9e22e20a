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
  // Over HTTP/1 the end closes the connection, so that it must wait; over HTTP/2 it only closes our half.
  const { stream } = req;
  if (stream !== undefined) res.end(body);
  else if (body !== '') res.write(body);
  else res.flushHeaders();
  let bytes = 0;
  const settle = (): void => {
    clearTimeout(timer);
    req.off('data', count);
    req.off('end', settle);
    req.off('close', settle);
    if (stream === undefined) endChunks(res);
  };
  const giveUp = (): void => {
    settle();
    // A stream that has been read to its end closes by itself, after the trailers; one that has not is reset.
    if (stream !== undefined && !stream.destroyed) stream.close();
  };
  const count = (chunk: Buffer): void => {
    bytes += chunk.length;
    if (bytes > lingerBytes) giveUp();
  };
  const timer = setTimeout(giveUp, lingerMs);
  req.on('data', count);
  req.once('end', settle);
  req.once('close', settle);
}
