import type { Worker } from 'node:worker_threads';
import { progress } from './messages.ts';

const memoryIntervalMs = 100;

/**
 * Calls `onExcess` when the engine has not begun on a job within `timeoutMs`, or has not ended within `timeoutMs` of its
 * beginning: what a thread needs to start is not taken from the time of the document.
 *
 * @returns a function that ends the watch.
 */
export function watchTime(shared: Int32Array, timeoutMs: number, onExcess: () => void): () => void {
  const timer = setTimeout(onExcess, timeoutMs);
  let isOver = false;
  const begun = Atomics.waitAsync(shared, progress.isRendering, 0);
  if (begun.async) {
    void begun.value.then(() => {
      if (!isOver) timer.refresh();
    });
  }
  return () => {
    isOver = true;
    clearTimeout(timer);
    Atomics.notify(shared, progress.isRendering);
  };
}

/**
 * Calls `onExcess` once the heap and the buffers of a worker together exceed a number of bytes. V8's own limits of a
 * worker leave buffers out. The figures are taken inside running code, so a busy worker cannot hide.
 *
 * @param findWorker the worker to watch; undefined while it has no work.
 * @returns a function that ends the watch.
 */
export function watchMemory(
  findWorker: () => Worker | undefined,
  bytesMax: number,
  onExcess: () => void,
): () => void {
  const timer = setInterval(async () => {
    const worker = findWorker();
    // A worker that has just ended has no figures, and holds nothing.
    const statistics = await worker?.getHeapStatistics().catch(() => undefined);
    if (statistics !== undefined && statistics.used_heap_size + statistics.external_memory > bytesMax)
      onExcess();
  }, memoryIntervalMs);
  return () => clearInterval(timer);
}
