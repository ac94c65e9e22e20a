import type { ReplayMemory } from '../../ports/replay-memory.ts';
import { StoreConflict } from '../../ports/store.ts';
import { contended, contentionMax } from './contention.ts';
import type { Database } from './database.ts';
import { queries } from './queries.ts';

export function openReplayMemory(database: Database): ReplayMemory {
  return {
    async claim({ key, value, nowMs, lastMs }) {
      const change = { $set: { value, lastMs, expireAt: new Date(lastMs) } };
      for (let attempt = 0; attempt < contentionMax; attempt += 1) {
        try {
          // Takes the place of a claim that is over, or creates one; one that holds is met as a conflict.
          await database.update(queries.endedReplayClaim(key, nowMs), change, { upsert: true });
          return undefined;
        } catch (error) {
          if (!(error instanceof StoreConflict)) throw error;
        }
        const held = await database.findOne(queries.replayClaim(key, nowMs));
        if (held !== undefined) return held.value;
      }
      throw contended();
    },

    forgetExpired: (nowMs) => database.deleteAll(queries.endedReplayClaims(nowMs)),
  };
}
