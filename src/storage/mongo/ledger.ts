import type {
  Balance,
  Ledger,
  LedgerAccount,
  ReservationRequest,
  ReservationResult,
} from '../../ports/ledger.ts';
import { StoreConflict } from '../../ports/store.ts';
import { fieldName, type HeldSum, liveAmount, numberAt } from './amounts.ts';
import { contended, contentionMax } from './contention.ts';
import type { Database } from './database.ts';
import { createPruner } from './pruner.ts';
import { queries } from './queries.ts';

const map = 'reservations';

interface CycleState {
  readonly key: Balance;
  readonly pool: Balance;
  readonly isTaken: boolean;
}

const unused: CycleState = {
  key: { used: 0, inFlight: 0 },
  pool: { used: 0, inFlight: 0 },
  isTaken: false,
};

/**
 * One document for each organization and cycle: what is settled, in all and by key, and a map of the reservations.
 * Reserving is one update whose filter sums what is settled and in flight, so that the server decides.
 */
export function openLedger(database: Database): Ledger {
  const prune = createPruner(database, map);

  async function readCycle(account: LedgerAccount, reservationId: string): Promise<CycleState | undefined> {
    const { apiKeyId, nowMs } = account;
    const state = await database.aggregateOne(queries.ledgerCycle(cycleId(account)), [
      {
        $project: {
          keyUsed: numberAt(usedByKey(apiKeyId)),
          keyInFlight: liveAmount({ map, nowMs, owner: fieldName(apiKeyId) }),
          poolUsed: '$used',
          poolInFlight: liveAmount({ map, nowMs }),
          taken: numberAt(`${map}.${fieldName(reservationId)}.leaseEndsAtMs`),
        },
      },
    ]);
    return (
      state && {
        key: { used: state.keyUsed, inFlight: state.keyInFlight },
        pool: { used: state.poolUsed, inFlight: state.poolInFlight },
        isTaken: state.taken !== 0,
      }
    );
  }

  return {
    async read(account) {
      const { key, pool } = (await readCycle(account, '')) ?? unused;
      return { key, pool };
    },

    async reserve(request) {
      const { organizationId, cycleStartMs, reservationId, apiKeyId, tokens, leaseEndsAtMs, nowMs } = request;
      const id = cycleId(request);
      const name = fieldName(reservationId);
      const reservation = { owner: fieldName(apiKeyId), amount: tokens, leaseEndsAtMs };
      const withRoom = queries.ledgerCycleWithRoom(id, name, { map, nowMs, sums: sumsOf(request) });
      await prune(queries.ledgerCycle(id), nowMs);
      for (let attempt = 0; attempt < contentionMax; attempt += 1) {
        if (await database.update(withRoom, { $set: { [`${map}.${name}`]: reservation } }))
          return { ok: true };
        const known = await readCycle(request, reservationId);
        const state = known ?? unused;
        if (state.isTaken) throw new StoreConflict('reservationId');
        const refusal = refusalOf(state, request);
        if (refusal !== undefined) return refusal;
        // There is room: nobody has used the cycle yet, or others gave tokens back meanwhile.
        if (known !== undefined) continue;
        const cycle = { _id: id, organizationId, cycleStartMs, used: 0, usedByKey: {} };
        try {
          await database.insert('ledger_cycles', { ...cycle, reservations: { [name]: reservation } });
          return { ok: true };
        } catch (error) {
          if (!(error instanceof StoreConflict)) throw error;
        }
      }
      throw contended();
    },

    renew: (account, reservationId, leaseEndsAtMs) => {
      const name = fieldName(reservationId);
      return database.update(queries.ledgerCycleWithLiveReservation(cycleId(account), name, account.nowMs), {
        $set: { [`${map}.${name}.leaseEndsAtMs`]: leaseEndsAtMs },
      });
    },

    settle: (account, reservationId, tokens) => {
      const name = fieldName(reservationId);
      return database.update(queries.ledgerCycleWithReservation(cycleId(account), name), {
        $inc: { used: tokens, [usedByKey(account.apiKeyId)]: tokens },
        $unset: { [`${map}.${name}`]: '' },
      });
    },
  };
}

/** Returns the id of a cycle's document. */
export function cycleId({
  organizationId,
  cycleStartMs,
}: Pick<LedgerAccount, 'organizationId' | 'cycleStartMs'>): string {
  return `${organizationId} ${cycleStartMs}`;
}

function usedByKey(apiKeyId: string): string {
  return `usedByKey.${fieldName(apiKeyId)}`;
}

function sumsOf({ apiKeyId, tokens, keyLimit, poolLimit }: ReservationRequest): HeldSum[] {
  const sums: HeldSum[] = [];
  if (keyLimit !== null) {
    sums.push({ used: usedByKey(apiKeyId), owner: fieldName(apiKeyId), max: keyLimit - tokens });
  }
  if (poolLimit !== null) sums.push({ used: 'used', max: poolLimit - tokens });
  return sums;
}

function refusalOf(
  { key, pool }: CycleState,
  { tokens, keyLimit, poolLimit }: ReservationRequest,
): ReservationResult | undefined {
  const checks = [
    { exhausted: 'key', limit: keyLimit, ...key },
    { exhausted: 'pool', limit: poolLimit, ...pool },
  ] as const;
  for (const { exhausted, limit, used, inFlight } of checks) {
    if (limit !== null && used + inFlight + tokens > limit) {
      return { ok: false, exhausted, used, inFlight, limit };
    }
  }
  return undefined;
}
