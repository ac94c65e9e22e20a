import type { SQLInputValue } from 'node:sqlite';
import type { Run } from '../../domain/run.ts';
import type { RunPage, RunStore } from '../../ports/run-store.ts';
import { toStoreFailure } from './conflicts.ts';
import type { Database } from './database.ts';
import { parseDocument } from './record-store.ts';

export function openRuns(database: Database): RunStore {
  const insert = database.prepare('INSERT INTO runs (id, document) VALUES (?, ?)');
  const select = database.prepare('SELECT document FROM runs WHERE id = ?');
  const active = database.prepare('SELECT document FROM runs WHERE active_agent_id = ?');
  const replace = database.prepare('UPDATE runs SET document = ? WHERE id = ? AND revision = ?');
  const due = database.prepare('SELECT id FROM runs WHERE due_at_ms < ? ORDER BY due_at_ms, id LIMIT ?');
  const list = database.prepare(`
    SELECT document FROM runs
    WHERE agent_id = ?1 AND queued_at_ms < ?2
      AND (?3 = '[]' OR status IN (SELECT value FROM json_each(?3)))
      AND (?4 = '[]' OR trigger_type IN (SELECT value FROM json_each(?4)))
    ORDER BY queued_at_ms DESC LIMIT ?5`);

  function values(agentId: string, page: RunPage): SQLInputValue[] {
    const { beforeMs = Number.MAX_SAFE_INTEGER, statuses, triggerTypes, limit } = page;
    return [agentId, beforeMs, JSON.stringify(statuses), JSON.stringify(triggerTypes), limit];
  }

  return {
    async create(run) {
      try {
        await database.write(() => void insert.run(run.id, JSON.stringify(run)));
      } catch (error) {
        throw toStoreFailure(error);
      }
    },
    get: async (id) => parseDocument<Run>(select.get(id)),
    replace: (run) =>
      database.write(() => replace.run(JSON.stringify(run), run.id, run.revision - 1).changes > 0),
    findActive: async (agentId) => parseDocument<Run>(active.get(agentId)),
    list: async (agentId, page) =>
      list.all(...values(agentId, page)).flatMap((row) => parseDocument<Run>(row) ?? []),
    listDue: async (beforeMs, limit) => due.all(beforeMs, limit).map((row) => row.id as string),
  };
}
