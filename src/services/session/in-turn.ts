/** Runs a task when all earlier ones of its key have ended. Tasks of other keys run beside it. */
export type InTurn = <T>(key: string, task: () => Promise<T>) => Promise<T>;

/** Returns a function that runs tasks of one key one after the other, in the order of the calls, in this process. */
export function createInTurn(): InTurn {
  const last = new Map<string, Promise<unknown>>();
  return async (key, task) => {
    const own = (last.get(key) ?? Promise.resolve()).then(task);
    const ended = own.catch(() => undefined);
    last.set(key, ended);
    try {
      return await own;
    } finally {
      if (last.get(key) === ended) last.delete(key);
    }
  };
}
