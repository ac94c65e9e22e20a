/**
 * Token budgets: what each key and each organization's pool has used and holds in flight, per budget cycle.
 *
 * Invariants:
 * - A reservation takes from the key's budget and the organization's pool in one atomic step, or from neither.
 * - Used + in flight never exceeds a limit by reserving, however many callers and processes reserve at once.
 * - A reservation is settled at most once, by its id, into the cycle in which it was made, also after its lease ended.
 * - A reservation whose lease has ended holds nothing any more, whether or not anybody has swept it.
 * - What belongs to one organization and cycle can live in one document, so that no transaction over several is needed.
 */
export interface Ledger {
  read(account: LedgerAccount): Promise<LedgerState>;
  /** Reserves `tokens`, or answers what stood in the way; creates the cycle's document when it is the first. */
  reserve(request: ReservationRequest): Promise<ReservationResult>;
  /** Extends a live reservation's lease. False when it has been settled, released or swept. */
  renew(account: LedgerAccount, reservationId: string, leaseEndsAtMs: number): Promise<boolean>;
  /** Adds the tokens that were used and gives the reservation back. False when it was settled before. */
  settle(account: LedgerAccount, reservationId: string, tokens: number): Promise<boolean>;
}

/** `cycleStartMs` as `domain/budget-cycle` gives it for the organization at the time of the reservation. */
export interface LedgerAccount {
  readonly organizationId: string;
  readonly apiKeyId: string;
  readonly cycleStartMs: number;
  readonly nowMs: number;
}

export interface Balance {
  /** Tokens settled. */
  readonly used: number;
  /** Tokens of live reservations. */
  readonly inFlight: number;
}

export interface LedgerState {
  readonly key: Balance;
  readonly pool: Balance;
}

export interface ReservationRequest extends LedgerAccount {
  readonly reservationId: string;
  readonly tokens: number;
  readonly leaseEndsAtMs: number;
  /** Null: no budget. */
  readonly keyLimit: number | null;
  readonly poolLimit: number | null;
}

export type ReservationResult =
  | { readonly ok: true }
  | {
      readonly ok: false;
      readonly exhausted: 'key' | 'pool';
      readonly used: number;
      readonly inFlight: number;
      readonly limit: number;
    };
