/**
 * Jobs of the local queue.
 *
 * Invariants:
 * - A job exists once. It waits until its time, or is leased under a token until its lease ends and waits again then.
 * - Of any number of callers who claim at once, each job goes to one.
 * - Only the holder of a lease's token renews, releases or removes the job, and only while the lease is the last one.
 * - Each operation changes one job at a time.
 */
export interface JobStore {
  /** Adds a job, or makes a waiting one due at the earlier of the two times. */
  add(id: string, notBeforeMs: number): Promise<void>;
  /** Leases jobs that are due or whose lease has ended, the longest due first. */
  claim(claim: JobClaim): Promise<readonly string[]>;
  renew(id: string, token: string, leaseEndsAtMs: number): Promise<boolean>;
  /** Lets the job wait again. */
  release(id: string, token: string, notBeforeMs: number): Promise<boolean>;
  remove(id: string, token: string): Promise<boolean>;
  /** How many there are, for figures: of very many, at least some thousands are counted. */
  count(): Promise<JobCounts>;
}

export interface JobCounts {
  /** To be taken now or at their time. */
  readonly waiting: number;
  /** Taken. */
  readonly active: number;
}

export interface JobClaim {
  readonly nowMs: number;
  readonly leaseEndsAtMs: number;
  /** Unique for the claim. */
  readonly token: string;
  readonly limit: number;
}
