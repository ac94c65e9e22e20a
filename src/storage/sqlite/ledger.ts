import {
  emptyLedger,
  type InFlight,
  inFlightAt,
  type TokenLedger,
  usedBy,
  withRenewedLease,
  withReservation,
  withSettlement,
} from '../../domain/token-ledger.ts';
import type { Ledger, LedgerAccount, ReservationResult } from '../../ports/ledger.ts';
import { StoreConflict } from '../../ports/store.ts';
import type { Database } from './database.ts';

/** Ledgers held in memory. */
const ledgersMax = 1_000;

interface RememberedLedger {
  readonly ledger: TokenLedger;
  inFlight: InFlight;
  inFlightAtMs: number;
}

/**
 * One row per organization and cycle. What this process read or wrote last is kept in memory and used for as long as
 * the database's version says that no other process has committed since.
 */
export function openLedger(database: Database): Ledger {
  const select = database.prepare(
    'SELECT document FROM ledgers WHERE organization_id = ? AND cycle_start_ms = ?',
  );
  const upsert = database.prepare(`
    INSERT INTO ledgers (organization_id, cycle_start_ms, document) VALUES (?, ?, ?)
    ON CONFLICT (organization_id, cycle_start_ms) DO UPDATE SET document = excluded.document`);
  const known = new Map<string, RememberedLedger>();
  let knownVersion = 0;

  function load(account: LedgerAccount): RememberedLedger {
    const version = database.version();
    if (version !== knownVersion) {
      known.clear();
      knownVersion = version;
    }
    const remembered = known.get(keyOf(account));
    if (remembered !== undefined) return remembered;
    const row = select.get(account.organizationId, account.cycleStartMs);
    const ledger = row === undefined ? emptyLedger : (JSON.parse(row.document as string) as TokenLedger);
    return remember(account, ledger);
  }

  function remember(account: LedgerAccount, ledger: TokenLedger): RememberedLedger {
    if (known.size >= ledgersMax) known.clear();
    const remembered = { ledger, inFlight: inFlightAt(ledger, account.nowMs), inFlightAtMs: account.nowMs };
    known.set(keyOf(account), remembered);
    return remembered;
  }

  function save(account: LedgerAccount, ledger: TokenLedger): void {
    upsert.run(account.organizationId, account.cycleStartMs, JSON.stringify(ledger));
    remember(account, ledger);
  }

  function balances(account: LedgerAccount) {
    const state = load(account);
    if (account.nowMs < state.inFlightAtMs || account.nowMs >= state.inFlight.validUntilMs) {
      state.inFlight = inFlightAt(state.ledger, account.nowMs);
      state.inFlightAtMs = account.nowMs;
    }
    const { ledger, inFlight } = state;
    return {
      key: {
        used: usedBy(ledger, account.apiKeyId),
        inFlight: inFlight.byKey.get(account.apiKeyId) ?? 0,
      },
      pool: { used: ledger.used, inFlight: inFlight.pool },
    };
  }

  return {
    read: async (account) => balances(account),

    reserve: (request) =>
      database.write((): ReservationResult => {
        const { ledger } = load(request);
        if (Object.hasOwn(ledger.reservations, request.reservationId))
          throw new StoreConflict('reservationId');
        const { key, pool } = balances(request);
        const checks = [
          { exhausted: 'key', limit: request.keyLimit, ...key },
          { exhausted: 'pool', limit: request.poolLimit, ...pool },
        ] as const;
        for (const { exhausted, limit, used, inFlight } of checks) {
          if (limit !== null && used + inFlight + request.tokens > limit) {
            return { ok: false, exhausted, used, inFlight, limit };
          }
        }
        const { reservationId, apiKeyId, tokens, leaseEndsAtMs, nowMs } = request;
        save(request, withReservation(ledger, reservationId, { apiKeyId, tokens, leaseEndsAtMs }, nowMs));
        return { ok: true };
      }),

    renew: (account, reservationId, leaseEndsAtMs) =>
      database.write(() => {
        const renewed = withRenewedLease(load(account).ledger, reservationId, leaseEndsAtMs, account.nowMs);
        if (renewed === undefined) return false;
        save(account, renewed);
        return true;
      }),

    settle: (account, reservationId, tokens) =>
      database.write(() => {
        const settled = withSettlement(load(account).ledger, reservationId, tokens);
        if (settled === undefined) return false;
        save(account, settled);
        return true;
      }),
  };
}

function keyOf(account: LedgerAccount): string {
  return `${account.organizationId} ${account.cycleStartMs}`;
}
