import type { Document } from 'mongodb';
import type { UsageAccount } from '../../domain/usage-window.ts';
import { StoreConflict } from '../../ports/store.ts';
import type { UsageWindows } from '../../ports/usage-windows.ts';
import { fieldName, liveAmount } from './amounts.ts';
import { contended, contentionMax } from './contention.ts';
import type { Database } from './database.ts';
import { createPruner } from './pruner.ts';
import { queries } from './queries.ts';

const map = 'holds';

/** From the start of a window of any kind to when nobody asks for it any more. */
const keptMs = 45 * 86_400_000;

/** One document for each account: what is settled, and a map of the holds. */
export function openUsageWindows(database: Database): UsageWindows {
  const prune = createPruner(database, map);

  return {
    async reserve({ hold, amount, limit, leaseEndsAtMs, nowMs }) {
      const id = idOf(hold.account);
      const name = fieldName(hold.id);
      const held = { amount, leaseEndsAtMs };
      // Whole numbers: below the limit is at most one less.
      const withRoom = { map, nowMs, sums: [{ used: 'used', max: limit - 1 }] };
      const query = queries.usageWindowWithRoom(id, name, withRoom);
      await prune(queries.usageWindow(id), nowMs);
      for (let attempt = 0; attempt < contentionMax; attempt += 1) {
        if (await database.update(query, { $set: { [`${map}.${name}`]: held } })) return { ok: true };
        const state = await database.aggregateOne(queries.usageWindow(id), [
          { $project: { used: { $add: ['$used', liveAmount({ map, nowMs })] } } },
        ]);
        const used: number = state?.used ?? 0;
        if (used >= limit) return { ok: false, used };
        try {
          if (state === undefined) {
            await database.insert('usage_windows', { ...newWindow(hold.account), holds: { [name]: held } });
            return { ok: true };
          }
        } catch (error) {
          if (!(error instanceof StoreConflict)) throw error;
        }
      }
      throw contended();
    },

    renew: ({ id, account }, leaseEndsAtMs, nowMs) =>
      database.update(queries.usageWindowWithLiveHold(idOf(account), fieldName(id), nowMs), {
        $set: { [`${map}.${fieldName(id)}.leaseEndsAtMs`]: leaseEndsAtMs },
      }),

    settle: ({ id, account }, amount) =>
      database.update(queries.usageWindowWithHold(idOf(account), fieldName(id)), {
        $inc: { used: amount },
        $unset: { [`${map}.${fieldName(id)}`]: '' },
      }),

    read: async (account) => (await database.findOne(queries.usageWindow(idOf(account))))?.used ?? 0,
  };
}

function idOf({ subject, unit, window, startMs }: UsageAccount): string {
  return `${subject} ${unit} ${window} ${startMs}`;
}

/** Returns the document of a window that nobody has used. */
export function newWindow(account: UsageAccount): Document & { _id: string } {
  const { subject, unit, window, startMs } = account;
  const expireAt = new Date(startMs + keptMs);
  return { _id: idOf(account), subject, unit, window, startMs, used: 0, holds: {}, expireAt };
}
