/** A bounded queue between one writer and one reader. */
export interface EventChannel<T> extends AsyncIterable<T> {
  /** Takes an event; a promise means that the queue is full, and resolves when the reader has caught up or left. */
  push(event: T): Promise<void> | undefined;
  /** Ends the reader's iteration after what is queued, with an error when one is given. */
  end(error?: unknown): void;
  /** The reader has left: what is pushed from now on is dropped. */
  leave(): void;
}

export function createEventChannel<T>(capacity: number): EventChannel<T> {
  let queue: T[] = [];
  let end: { readonly error?: unknown } | undefined;
  let hasLeft = false;
  let wakeReader = () => {};
  let writers: (() => void)[] = [];

  function wakeWriters(): void {
    const waiting = writers;
    writers = [];
    for (const wake of waiting) wake();
  }

  async function* read(): AsyncGenerator<T> {
    for (;;) {
      const batch = queue;
      queue = [];
      wakeWriters();
      for (const event of batch) yield event;
      if (queue.length > 0) continue;
      if (end !== undefined) {
        if (end.error !== undefined) throw end.error;
        return;
      }
      await new Promise<void>((resolve) => {
        wakeReader = resolve;
      });
    }
  }

  return {
    push(event) {
      if (hasLeft) return undefined;
      queue.push(event);
      wakeReader();
      if (queue.length < capacity) return undefined;
      return new Promise((resolve) => {
        writers.push(resolve);
      });
    },
    end(error) {
      end ??= { error };
      wakeReader();
    },
    leave() {
      hasLeft = true;
      queue = [];
      wakeWriters();
    },
    [Symbol.asyncIterator]: read,
  };
}
