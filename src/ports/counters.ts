/**
 * Counts events in windows of time.
 *
 * Invariants:
 * - A hit is counted when it is allowed, and only then; two parallel hits never both take the last place.
 * - In one process the window slides: `used` counts the hits of the last `windowMs`. Shared by several processes it is
 *   a fixed bucket. `resetAtMs` is authoritative in both.
 * - Counters that cannot be reached reject; they never answer with a guess.
 */
export interface RateCounter {
  hit(key: string, window: RateWindow, nowMs: number): Promise<RateVerdict>;
  /** The state without a hit. */
  peek(key: string, window: RateWindow, nowMs: number): Promise<RateVerdict>;
  close(): Promise<void>;
}

export interface RateWindow {
  readonly limit: number;
  readonly windowMs: number;
}

export interface RateVerdict {
  readonly allowed: boolean;
  /** Hits in the window, this one included when it was allowed. */
  readonly used: number;
  /** When a place is next given back (sliding), or the bucket ends (fixed); Unix milliseconds. */
  readonly resetAtMs: number;
}
