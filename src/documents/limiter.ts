export interface Limiter {
  /**
   * Runs `work` when a place is free, first come, first served.
   *
   * @throws the reason of `signal` when it aborts before the turn has come.
   */
  run<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T>;
  /** How many wait for a place. */
  readonly waiting: number;
}

/** Returns a limiter that lets so many pieces of work run at once. */
export function createLimiter(places: number): Limiter {
  let free = places;
  const waiting = new Set<() => void>();

  async function enter(signal: AbortSignal | undefined): Promise<void> {
    signal?.throwIfAborted();
    if (free > 0) {
      free -= 1;
      return;
    }
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const giveUp = () => {
      waiting.delete(resolve);
      reject(signal?.reason);
    };
    waiting.add(resolve);
    signal?.addEventListener('abort', giveUp, { once: true });
    await promise.finally(() => signal?.removeEventListener('abort', giveUp));
  }

  function leave(): void {
    const [next] = waiting;
    if (next === undefined) {
      free += 1;
    } else {
      waiting.delete(next);
      next();
    }
  }

  return {
    async run(work, signal) {
      await enter(signal);
      try {
        return await work();
      } finally {
        leave();
      }
    },
    get waiting() {
      return waiting.size;
    },
  };
}
