import type { UsageHold } from '../domain/turn.ts';
import type { UsageAccount } from '../domain/usage-window.ts';

/**
 * What actors and organizations have used in the calendar windows of their usage limits.
 *
 * Invariants:
 * - A hold is given in one atomic step, and only while used + in flight is below the limit: of any number of parallel
 *   callers at most one gets the last place.
 * - A hold is settled at most once, by its id, into its own window.
 * - A hold whose lease has ended counts no more, but can still be settled for a day.
 * - One document per account.
 */
export interface UsageWindows {
  reserve(request: UsageReservation): Promise<UsageResult>;
  renew(hold: UsageHold, leaseEndsAtMs: number, nowMs: number): Promise<boolean>;
  /** Adds what was used and gives the hold back. False when it was settled before. */
  settle(hold: UsageHold, amount: number): Promise<boolean>;
  /** What is settled. */
  read(account: UsageAccount): Promise<number>;
}

export interface UsageReservation {
  readonly hold: UsageHold;
  readonly amount: number;
  readonly limit: number;
  readonly leaseEndsAtMs: number;
  readonly nowMs: number;
}

/** `used` is what is settled and in flight. */
export type UsageResult = { readonly ok: true } | { readonly ok: false; readonly used: number };
