import type { Response } from './call.ts';

/**
 * Writes a chunk and waits until the client has taken enough of what was written before. Resolves to false when there
 * is nobody left to write to: the client went away, or took nothing for `stalledWriteMs` and was cut off.
 */
export function writeChunk(
  res: Response,
  chunk: string | Uint8Array,
  stalledWriteMs: number,
): Promise<boolean> {
  if (res.closed || res.destroyed) return gone;
  if (res.write(chunk)) return written;
  return new Promise((resolve) => {
    const settle = (isWritten: boolean) => () => {
      clearTimeout(timer);
      res.off('drain', onDrain);
      res.off('close', onClose);
      resolve(isWritten);
    };
    const onDrain = settle(true);
    const onClose = settle(false);
    const timer = setTimeout(() => destroyResponse(res), stalledWriteMs);
    res.on('drain', onDrain);
    res.on('close', onClose);
  });
}

const written = Promise.resolve(true);
const gone = Promise.resolve(false);

/** Cuts the client off: closes the connection, or the one stream over HTTP/2. */
export function destroyResponse(res: Response): void {
  if (res.stream !== undefined) res.stream.destroy();
  else res.destroy();
}
