/**
 * The tokens of one organization in one budget cycle: what is settled, and what is reserved. A plain document, never
 * changed in place.
 */
export interface TokenLedger {
  /** Tokens settled by all keys. */
  readonly used: number;
  /** Tokens settled, by key id. */
  readonly usedByKey: Readonly<Record<string, number>>;
  /** Reservations not settled yet, by id. */
  readonly reservations: Readonly<Record<string, Reservation>>;
}

export interface Reservation {
  readonly apiKeyId: string;
  readonly tokens: number;
  /** From then on it holds nothing, but can still be settled. */
  readonly leaseEndsAtMs: number;
}

export const emptyLedger: TokenLedger = { used: 0, usedByKey: {}, reservations: {} };

/** How long after its lease ended an unsettled reservation is remembered for a late settlement. */
export const lateSettlementMs = 86_400_000;

/** Tokens settled by one key. */
export function usedBy(ledger: TokenLedger, apiKeyId: string): number {
  return (Object.hasOwn(ledger.usedByKey, apiKeyId) && ledger.usedByKey[apiKeyId]) || 0;
}

/** What stands reserved at a time. */
export interface InFlight {
  readonly pool: number;
  readonly byKey: ReadonlyMap<string, number>;
  /** When the first of the live leases ends; the sums hold until then. */
  readonly validUntilMs: number;
}

/** Sums the live reservations. */
export function inFlightAt(ledger: TokenLedger, nowMs: number): InFlight {
  let pool = 0;
  let validUntilMs = Number.POSITIVE_INFINITY;
  const byKey = new Map<string, number>();
  for (const { apiKeyId, tokens, leaseEndsAtMs } of Object.values(ledger.reservations)) {
    if (leaseEndsAtMs <= nowMs) continue;
    pool += tokens;
    byKey.set(apiKeyId, (byKey.get(apiKeyId) ?? 0) + tokens);
    validUntilMs = Math.min(validUntilMs, leaseEndsAtMs);
  }
  return { pool, byKey, validUntilMs };
}

/** Returns the ledger with one more reservation, without those too old to be settled. */
export function withReservation(
  ledger: TokenLedger,
  id: string,
  reservation: Reservation,
  nowMs: number,
): TokenLedger {
  const remembered = Object.entries(ledger.reservations).filter(
    ([, { leaseEndsAtMs }]) => leaseEndsAtMs + lateSettlementMs > nowMs,
  );
  return { ...ledger, reservations: { ...Object.fromEntries(remembered), [id]: reservation } };
}

/** Returns the ledger with a live reservation's lease moved; undefined when there is no such live reservation. */
export function withRenewedLease(
  ledger: TokenLedger,
  id: string,
  leaseEndsAtMs: number,
  nowMs: number,
): TokenLedger | undefined {
  const reservation = ownReservation(ledger, id);
  if (reservation === undefined || reservation.leaseEndsAtMs <= nowMs) return undefined;
  return { ...ledger, reservations: { ...ledger.reservations, [id]: { ...reservation, leaseEndsAtMs } } };
}

/** Returns the ledger with a reservation turned into used tokens; undefined when it knows no such reservation. */
export function withSettlement(ledger: TokenLedger, id: string, tokens: number): TokenLedger | undefined {
  const reservation = ownReservation(ledger, id);
  if (reservation === undefined) return undefined;
  const { [id]: _settled, ...reservations } = ledger.reservations;
  const { apiKeyId } = reservation;
  return {
    used: ledger.used + tokens,
    usedByKey: { ...ledger.usedByKey, [apiKeyId]: usedBy(ledger, apiKeyId) + tokens },
    reservations,
  };
}

function ownReservation(ledger: TokenLedger, id: string): Reservation | undefined {
  return Object.hasOwn(ledger.reservations, id) ? ledger.reservations[id] : undefined;
}
