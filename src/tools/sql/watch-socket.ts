import type { Socket } from 'node:net';

/** What one statement may bring in before it is cut off: a row is whole in memory before it can be measured. */
const wireBytesMax = 16 * 1_048_576;
const lookEveryMs = 10;

/** Calls `onTooMuch` once the socket has received more than a statement's share. Returns how to stop watching. */
export function watchSocket(socket: Socket, onTooMuch: () => void): () => void {
  const timer = setInterval(() => {
    if (socket.bytesRead <= wireBytesMax) return;
    clearInterval(timer);
    onTooMuch();
  }, lookEveryMs);
  return () => clearInterval(timer);
}
