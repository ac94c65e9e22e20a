import type { UsageAccount } from '../../domain/usage-window.ts';
import type { UsageResult, UsageWindows } from '../../ports/usage-windows.ts';
import type { Database } from './database.ts';

/** How long after its lease ended an unsettled hold is remembered for a late settlement. */
const lateSettlementMs = 86_400_000;

const account = 'subject = ? AND unit = ? AND window = ? AND start_ms = ?';

export function openUsageWindows(database: Database): UsageWindows {
  const selectUsed = database.prepare(`SELECT used FROM usage_windows WHERE ${account}`);
  const sumLive = database.prepare(`
    SELECT coalesce(sum(amount), 0) AS amount FROM usage_holds WHERE ${account} AND lease_ends_at_ms > ?`);
  const insert = database.prepare(`
    INSERT INTO usage_holds (id, subject, unit, window, start_ms, amount, lease_ends_at_ms)
    VALUES (?, ?, ?, ?, ?, ?, ?)`);
  const forget = database.prepare(`DELETE FROM usage_holds WHERE ${account} AND lease_ends_at_ms <= ?`);
  const move = database.prepare(
    'UPDATE usage_holds SET lease_ends_at_ms = ? WHERE id = ? AND lease_ends_at_ms > ?',
  );
  const remove = database.prepare('DELETE FROM usage_holds WHERE id = ?');
  const add = database.prepare(`
    INSERT INTO usage_windows (subject, unit, window, start_ms, used) VALUES (?, ?, ?, ?, ?)
    ON CONFLICT (subject, unit, window, start_ms) DO UPDATE SET used = used + excluded.used`);

  function usedOf(of: UsageAccount): number {
    return (selectUsed.get(...keyOf(of))?.used ?? 0) as number;
  }

  return {
    reserve: ({ hold, amount, limit, leaseEndsAtMs, nowMs }) =>
      database.write((): UsageResult => {
        const key = keyOf(hold.account);
        forget.run(...key, nowMs - lateSettlementMs);
        const used = usedOf(hold.account) + Number(sumLive.get(...key, nowMs)?.amount ?? 0);
        if (used >= limit) return { ok: false, used };
        insert.run(hold.id, ...key, amount, leaseEndsAtMs);
        return { ok: true };
      }),

    renew: ({ id }, leaseEndsAtMs, nowMs) =>
      database.write(() => move.run(leaseEndsAtMs, id, nowMs).changes > 0),

    settle: (hold, amount) =>
      database.write(() => {
        if (remove.run(hold.id).changes === 0) return false;
        if (amount > 0) add.run(...keyOf(hold.account), amount);
        return true;
      }),

    read: async (of) => usedOf(of),
  };
}

function keyOf({ subject, unit, window, startMs }: UsageAccount): [string, string, string, number] {
  return [subject, unit, window, startMs];
}
