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
  const { stream } = req;
  if (stream !== undefined) {
    res.end(body);
    dropRest(stream, () => stream.close());
    return;
  }
  // Over HTTP/1 the end closes the connection, so that it must wait.
  if (body !== '') res.write(body);
  else res.flushHeaders();
  dropRest(req, () => endChunks(res));
}

/** Reads what still arrives and drops it, up to a bound of bytes and time; then, or at its end, calls `then`. */
export function dropRest(source: Readable, then: () => void): void {
  let bytes = 0;
  const finish = (): void => {
    clearTimeout(timer);
    source.off('data', count).off('end', finish).off('close', finish);
    if (!source.destroyed) then();
  };
  const count = (chunk: Buffer): void => {
    bytes += chunk.length;
    if (bytes > lingerBytes) finish();
  };
  const timer = setTimeout(finish, lingerMs);
  source.on('data', count).once('end', finish).once('close', finish);
}
