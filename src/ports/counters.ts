/**
 * Counts events in windows of time.
 *
 * Invariants:
 * - A hit is counted when it is allowed, and only then; two parallel hits never both take the last place.
 * - Steps are taken in order, as one: no other hit comes between them, and shared counters are asked once for all.
 * - In one process the window slides: `used` counts the hits of the last `windowMs`. Shared by several processes it is
 *   a fixed bucket. `resetAtMs` is authoritative in both: what is refused stays refused until then.
 * - Counters that cannot be reached reject; they never answer with a guess.
 */
export interface RateCounter {
  hit(key: string, window: RateWindow, nowMs: number): Promise<RateVerdict>;
  /** The state without a hit. */
  peek(key: string, window: RateWindow, nowMs: number): Promise<RateVerdict>;
  /**
   * Takes steps until one refuses, and answers for those that were taken, in order: the last one may have refused.
   * The hits before it are counted.
   */
  takeSteps(steps: readonly RateStep[], nowMs: number): Promise<readonly RateVerdict[]>;
  close(): Promise<void>;
}

/** A hit, or a look at the state that lets the next step be taken where a hit would have been allowed. */
export interface RateStep {
  readonly kind: 'hit' | 'peek';
  readonly key: string;
  readonly window: RateWindow;
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
