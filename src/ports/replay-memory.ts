/**
 * Remembers what may be used once.
 *
 * Invariants:
 * - Of any number of callers and processes that claim a key at once, one gets it.
 * - A claim survives a restart, and holds up to and including its last millisecond.
 * - A claim whose time is over is as good as none, whether or not anybody has removed it.
 */
export interface ReplayMemory {
  /** Returns undefined when the caller has the key now, else the value that its holder gave. */
  claim(claim: ReplayClaim): Promise<string | undefined>;
  /** Removes what is over. */
  forgetExpired(nowMs: number): Promise<void>;
}

export interface ReplayClaim {
  readonly key: string;
  readonly value: string;
  readonly nowMs: number;
  /** The last millisecond in which the claim holds. */
  readonly lastMs: number;
}
