import { ServiceError } from '../../domain/errors.ts';
import type { RateCounter } from '../../ports/counters.ts';
import { type Store, StoreConflict } from '../../ports/store.ts';
import type { Metrics } from '../../telemetry/metrics.ts';

/** Returns a store whose failures are counted, by its parts. What the caller asked wrongly is none. */
export function watchStore(store: Store, metrics: Metrics): Store {
  const parts = Object.entries(store).map(([name, part]: [string, unknown]) => {
    if (typeof part !== 'object' || part === null) return [name, part];
    return [name, counting(part, () => metrics.counter('service_store_failures_total', [name]))];
  });
  return Object.fromEntries(parts) as Store;
}

/** Returns a counter whose failures are counted as those of Redis. */
export function watchRedisCounter(counter: RateCounter, metrics: Metrics): RateCounter {
  return counting(counter, () => metrics.counter('service_redis_failures_total', ['counters']));
}

/** Wraps each function of an object once; what it returns is handed on untouched. */
function counting<Part extends object>(part: Part, counter: () => { value: number }): Part {
  const note = (error: unknown) => {
    const isAnswer =
      error instanceof StoreConflict || (error instanceof ServiceError && error.slug === 'invalid_request');
    if (!isAnswer) counter().value += 1;
  };
  const entries = Object.entries(part).map(([name, member]: [string, unknown]) => {
    if (typeof member !== 'function') return [name, member];
    const wrapped = (...args: unknown[]): unknown => {
      const result: unknown = member.apply(part, args);
      if (result instanceof Promise) result.catch(note);
      return result;
    };
    return [name, wrapped];
  });
  return Object.fromEntries(entries) as Part;
}
