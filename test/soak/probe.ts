/**
 * Loaded into a process of the service before anything else (`node --expose-gc --import probe.ts`): answers its parent
 * with what the process holds after a collection. The service knows nothing of it.
 */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { isMainThread } from 'node:worker_threads';

/** What a process holds. */
export interface Held {
  /** Of the heap and outside of it, after a collection; without worker threads. */
  readonly bytes: number;
  /** What keeps its event loop alive, by kind. */
  readonly resources: Readonly<Record<string, number>>;
  /** How late timers were since the last answer, milliseconds. */
  readonly delayMs: { readonly p50: number; readonly p99: number; readonly max: number };
}

// Threads of the process are started with the same flags.
if (isMainThread && process.send !== undefined) {
  const delay = monitorEventLoopDelay({ resolution: 10 });
  delay.enable();
  process.on('message', () => {
    globalThis.gc?.();
    const { heapUsed, external } = process.memoryUsage();
    const resources: Record<string, number> = {};
    for (const kind of process.getActiveResourcesInfo()) resources[kind] = (resources[kind] ?? 0) + 1;
    const inMs = (nanoseconds: number) => nanoseconds / 1e6;
    const held: Held = {
      bytes: heapUsed + external,
      resources,
      delayMs: { p50: inMs(delay.percentile(50)), p99: inMs(delay.percentile(99)), max: inMs(delay.max) },
    };
    delay.reset();
    process.send?.(held);
  });
  // The service must be able to end by itself.
  process.channel?.unref();
}
