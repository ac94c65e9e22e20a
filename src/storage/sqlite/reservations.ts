/** Tokens held for one call of one key. */
export interface Reservation {
  readonly apiKeyId: string;
  readonly tokens: number;
  /** From then on it holds nothing, but can still be settled; Unix milliseconds. */
  readonly leaseEndsAtMs: number;
}

export interface InFlight {
  readonly key: number;
  readonly pool: number;
}

/** The unsettled reservations of one organization and cycle, with what they hold at any time. */
export interface Reservations {
  get(id: string): Reservation | undefined;
  /** Adds a reservation, or puts it in the place of the one with its id. */
  set(id: string, reservation: Reservation): void;
  delete(id: string): void;
  /** The tokens that a key's, and that all live reservations hold. */
  inFlight(apiKeyId: string, nowMs: number): InFlight;
}

/**
 * Keeps the sums of the live reservations, so that asking for them costs the same however many there are. They are
 * summed anew only when the next lease has ended, or when the clock has stepped back over an end.
 */
export function createReservations(entries: Iterable<readonly [string, Reservation]>): Reservations {
  const reservations = new Map(entries);
  const byKey = new Map<string, number>();
  let pool = 0;
  /** The sums hold from the latest end that has passed to the first that has not. */
  let validFromMs = 0;
  let validUntilMs = 0;

  function count({ apiKeyId, tokens, leaseEndsAtMs }: Reservation, sign: 1 | -1): void {
    if (leaseEndsAtMs < validUntilMs) return;
    pool += sign * tokens;
    byKey.set(apiKeyId, (byKey.get(apiKeyId) ?? 0) + sign * tokens);
  }

  function sum(nowMs: number): void {
    pool = 0;
    byKey.clear();
    validFromMs = Number.NEGATIVE_INFINITY;
    validUntilMs = Number.POSITIVE_INFINITY;
    for (const { leaseEndsAtMs } of reservations.values()) {
      if (leaseEndsAtMs <= nowMs) validFromMs = Math.max(validFromMs, leaseEndsAtMs);
      else validUntilMs = Math.min(validUntilMs, leaseEndsAtMs);
    }
    for (const reservation of reservations.values()) count(reservation, 1);
  }

  function remove(id: string): void {
    const reservation = reservations.get(id);
    if (reservation === undefined) return;
    reservations.delete(id);
    count(reservation, -1);
  }

  return {
    get: (id) => reservations.get(id),
    delete: remove,

    set(id, reservation) {
      remove(id);
      reservations.set(id, reservation);
      // An end within the span in which the sums hold cuts it short.
      if (reservation.leaseEndsAtMs > validFromMs) {
        validUntilMs = Math.min(validUntilMs, reservation.leaseEndsAtMs);
      }
      count(reservation, 1);
    },

    inFlight(apiKeyId, nowMs) {
      if (nowMs < validFromMs || nowMs >= validUntilMs) sum(nowMs);
      return { key: byKey.get(apiKeyId) ?? 0, pool };
    },
  };
}
