import type { Ledger, LedgerAccount, LedgerState, ReservationResult } from '../../ports/ledger.ts';
import { StoreConflict } from '../../ports/store.ts';
import type { Database } from './database.ts';
import { createReservations, type Reservations } from './reservations.ts';

/** Cycles of organizations held in memory. */
const cyclesMax = 1_000;

/** How long after its lease ended an unsettled reservation is remembered for a late settlement. */
const lateSettlementMs = 86_400_000;

const cycle = 'organization_id = ? AND cycle_start_ms = ?';

interface Cycle {
  readonly usedByKey: Map<string, number>;
  used: number;
  readonly reservations: Reservations;
}

/**
 * Rows for the tokens that each key used in a cycle, and for its unsettled reservations. What this process read or
 * wrote last is kept in memory and used for as long as the database's version says that nobody else has committed.
 */
export function openLedger(database: Database): Ledger {
  const selectUsed = database.prepare(`SELECT api_key_id, used FROM ledger_balances WHERE ${cycle}`);
  const selectReservations = database.prepare(
    `SELECT id, api_key_id, tokens, lease_ends_at_ms FROM ledger_reservations WHERE ${cycle}`,
  );
  const forget = database.prepare(`DELETE FROM ledger_reservations WHERE ${cycle} AND lease_ends_at_ms <= ?`);
  const insert = database.prepare(`
    INSERT INTO ledger_reservations (organization_id, cycle_start_ms, id, api_key_id, tokens, lease_ends_at_ms)
    VALUES (?, ?, ?, ?, ?, ?)`);
  const renew = database.prepare(
    `UPDATE ledger_reservations SET lease_ends_at_ms = ? WHERE ${cycle} AND id = ?`,
  );
  const remove = database.prepare(`DELETE FROM ledger_reservations WHERE ${cycle} AND id = ?`);
  const add = database.prepare(`
    INSERT INTO ledger_balances (organization_id, cycle_start_ms, api_key_id, used) VALUES (?, ?, ?, ?)
    ON CONFLICT (organization_id, cycle_start_ms, api_key_id) DO UPDATE SET used = used + excluded.used`);
  const known = new Map<string, Cycle>();
  let knownVersion = 0;

  function load(account: LedgerAccount): Cycle {
    const version = database.version();
    if (version !== knownVersion) {
      known.clear();
      knownVersion = version;
    }
    const name = `${account.organizationId} ${account.cycleStartMs}`;
    const remembered = known.get(name);
    if (remembered !== undefined) return remembered;
    const read = readCycle(account);
    if (known.size >= cyclesMax) known.clear();
    known.set(name, read);
    return read;
  }

  function readCycle(account: LedgerAccount): Cycle {
    const used = selectUsed.all(...keyOf(account));
    const usedByKey = new Map(used.map((row) => [row.api_key_id as string, row.used as number]));
    const reservations = selectReservations.all(...keyOf(account)).map((row) => {
      const { api_key_id: apiKeyId, tokens, lease_ends_at_ms: leaseEndsAtMs } = row;
      return [row.id, { apiKeyId, tokens, leaseEndsAtMs }] as Parameters<Reservations['set']>;
    });
    return {
      usedByKey,
      used: [...usedByKey.values()].reduce((sum, tokens) => sum + tokens, 0),
      reservations: createReservations(reservations),
    };
  }

  function read(account: LedgerAccount): LedgerState {
    const { usedByKey, used, reservations } = load(account);
    const inFlight = reservations.inFlight(account.apiKeyId, account.nowMs);
    return {
      key: { used: usedByKey.get(account.apiKeyId) ?? 0, inFlight: inFlight.key },
      pool: { used, inFlight: inFlight.pool },
    };
  }

  return {
    read: async (account) => read(account),

    reserve: (request) =>
      database.write((): ReservationResult => {
        const { reservationId, apiKeyId, tokens, leaseEndsAtMs, nowMs } = request;
        const { reservations } = load(request);
        if (reservations.get(reservationId) !== undefined) throw new StoreConflict('reservationId');
        const { key, pool } = read(request);
        const checks = [
          { exhausted: 'key', limit: request.keyLimit, ...key },
          { exhausted: 'pool', limit: request.poolLimit, ...pool },
        ] as const;
        for (const { exhausted, limit, used, inFlight } of checks) {
          if (limit !== null && used + inFlight + tokens > limit) {
            return { ok: false, exhausted, used, inFlight, limit };
          }
        }
        const forgotten = forget.run(...keyOf(request), nowMs - lateSettlementMs).changes;
        if (forgotten > 0) known.clear();
        insert.run(...keyOf(request), reservationId, apiKeyId, tokens, leaseEndsAtMs);
        reservations.set(reservationId, { apiKeyId, tokens, leaseEndsAtMs });
        return { ok: true };
      }),

    renew: (account, reservationId, leaseEndsAtMs) =>
      database.write(() => {
        const { reservations } = load(account);
        const reservation = reservations.get(reservationId);
        if (reservation === undefined || reservation.leaseEndsAtMs <= account.nowMs) return false;
        renew.run(leaseEndsAtMs, ...keyOf(account), reservationId);
        reservations.set(reservationId, { ...reservation, leaseEndsAtMs });
        return true;
      }),

    settle: (account, reservationId, tokens) =>
      database.write(() => {
        const state = load(account);
        const reservation = state.reservations.get(reservationId);
        if (reservation === undefined) return false;
        const { apiKeyId } = reservation;
        remove.run(...keyOf(account), reservationId);
        add.run(...keyOf(account), apiKeyId, tokens);
        state.reservations.delete(reservationId);
        state.usedByKey.set(apiKeyId, (state.usedByKey.get(apiKeyId) ?? 0) + tokens);
        state.used += tokens;
        return true;
      }),
  };
}

function keyOf({ organizationId, cycleStartMs }: LedgerAccount): [string, number] {
  return [organizationId, cycleStartMs];
}
