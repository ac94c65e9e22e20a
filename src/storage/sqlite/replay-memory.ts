import type { ReplayMemory } from '../../ports/replay-memory.ts';
import type { Database } from './database.ts';

export function openReplayMemory(database: Database): ReplayMemory {
  const select = database.prepare(`
    SELECT document ->> '$.value' AS value FROM replay_claims WHERE id = ? AND last_ms >= ?`);
  const upsert = database.prepare('INSERT OR REPLACE INTO replay_claims (id, document) VALUES (?, ?)');
  const forget = database.prepare('DELETE FROM replay_claims WHERE last_ms < ?');
  return {
    claim: ({ key, value, nowMs, lastMs }) =>
      database.write(() => {
        const held = select.get(key, nowMs);
        if (held !== undefined) return held.value as string;
        upsert.run(key, JSON.stringify({ value, lastMs }));
        return undefined;
      }),
    forgetExpired: (nowMs) => database.write(() => void forget.run(nowMs)),
  };
}
