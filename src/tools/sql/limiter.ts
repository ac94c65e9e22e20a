/** Lets a few run at a time under one name; the others wait in order. */
export interface Limiter {
  /** @throws the signal's reason while waiting; what `task` throws. */
  run<T>(name: string, task: () => Promise<T>, signal: AbortSignal): Promise<T>;
}

interface Place {
  running: number;
  readonly waiting: (() => void)[];
}

export function createLimiter(atOnce: number): Limiter {
  const places = new Map<string, Place>();

  function leave(name: string, place: Place): void {
    const next = place.waiting.shift();
    if (next !== undefined) {
      next();
      return;
    }
    place.running -= 1;
    if (place.running === 0) places.delete(name);
  }

  async function enter(place: Place, signal: AbortSignal): Promise<void> {
    if (place.running < atOnce) {
      place.running += 1;
      return;
    }
    await new Promise<void>((resolve, reject) => {
      const go = () => {
        signal.removeEventListener('abort', give);
        resolve();
      };
      const give = () => {
        place.waiting.splice(place.waiting.indexOf(go), 1);
        reject(signal.reason);
      };
      signal.addEventListener('abort', give, { once: true });
      place.waiting.push(go);
    });
  }

  return {
    async run(name, task, signal) {
      signal.throwIfAborted();
      const place = places.get(name) ?? { running: 0, waiting: [] };
      places.set(name, place);
      await enter(place, signal);
      try {
        return await task();
      } finally {
        leave(name, place);
      }
    },
  };
}
