import { OutgoingMessage } from 'node:http';
import type { ServerHttp2Stream } from 'node:http2';
import type { Writable } from 'node:stream';

/** Where an answer's body goes: a response of either HTTP version, or a stream of HTTP/2 itself. */
export interface Sink extends Writable {
  readonly stream?: ServerHttp2Stream;
}

/**
 * Writes a chunk and waits until the client has taken enough of what was written before; chunks that come in one turn
 * go out together. Resolves to false when there is nobody left to write to: the client went away, or took nothing for
 * `stalledWriteMs` and was cut off.
 */
export function writeChunk(sink: Sink, chunk: string | Uint8Array, stalledWriteMs: number): Promise<boolean> {
  if (isGone(sink)) return gone;
  // A response of HTTP/1 gathers by itself, for one system call; corked it would take four for a chunk.
  if (sink.writableCorked === 0 && !(sink instanceof OutgoingMessage)) {
    sink.cork();
    process.nextTick(uncork, sink);
  }
  if (sink.write(chunk)) return written;
  return new Promise((resolve) => {
    const settle = (isWritten: boolean) => () => {
      clearTimeout(timer);
      sink.off('drain', onDrain);
      sink.off('close', onClose);
      resolve(isWritten);
    };
    const onDrain = settle(true);
    const onClose = settle(false);
    const timer = setTimeout(() => {
      destroySink(sink);
      onClose();
    }, stalledWriteMs);
    sink.on('drain', onDrain);
    sink.on('close', onClose);
  });
}

/** Ends a body, after a last chunk if there is one. */
export function endChunks(sink: Sink, last?: string): void {
  if (isGone(sink)) return;
  if (last !== undefined) sink.write(last);
  uncork(sink);
  sink.end();
}

/** Cuts the client off: closes the connection, or the one stream over HTTP/2. */
export function destroySink(sink: Sink): void {
  if (sink.stream !== undefined) sink.stream.destroy();
  else sink.destroy();
}

/** A response of HTTP/2 in Node's compatibility layer does not tell by itself. */
function isGone({ closed, destroyed, stream }: Sink): boolean {
  return closed || destroyed || stream?.destroyed === true;
}

function uncork(sink: Sink): void {
  while (sink.writableCorked > 0) sink.uncork();
}

const written = Promise.resolve(true);
const gone = Promise.resolve(false);
