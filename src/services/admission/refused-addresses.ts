/** Addresses held at once; further ones push out the oldest, for which the counter is asked again. */
const addressesMax = 10_000;

/**
 * Addresses known to be refused until a time, in bounded memory.
 *
 * What a counter refuses it refuses until its `resetAtMs`, so that a process needs to ask only once.
 */
export interface RefusedAddresses {
  readonly size: number;
  /** Returns until when an address is refused, Unix milliseconds; undefined when it is not known to be. */
  refusedUntil(address: string, nowMs: number): number | undefined;
  add(address: string, untilMs: number): void;
}

export function createRefusedAddresses(max = addressesMax): RefusedAddresses {
  const ends = new Map<string, number>();
  return {
    get size() {
      return ends.size;
    },
    refusedUntil(address, nowMs) {
      const untilMs = ends.get(address);
      if (untilMs === undefined || nowMs < untilMs) return untilMs;
      ends.delete(address);
      return undefined;
    },
    add(address, untilMs) {
      if (ends.size >= max && !ends.has(address)) {
        const [oldest] = ends.keys();
        if (oldest !== undefined) ends.delete(oldest);
      }
      ends.set(address, untilMs);
    },
  };
}
