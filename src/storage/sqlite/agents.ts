import type { Agent } from '../../domain/agent.ts';
import type { AgentFilter, AgentStore } from '../../ports/agent-store.ts';
import type { Database } from './database.ts';
import { createRecordStore, parseDocument } from './record-store.ts';

export function openAgents(database: Database): AgentStore {
  const records = createRecordStore<Agent, AgentFilter & { isDeleted: number }>(database, {
    table: 'agents',
    filters: { ownerId: 'owner_id', organizationId: 'organization_id', isDeleted: 'is_deleted' },
    order: 'DESC',
  });
  const replace = database.prepare('UPDATE agents SET document = ? WHERE id = ? AND revision = ?');
  const due = database.prepare(`
    SELECT document FROM agents WHERE next_run_at_ms <= ? ORDER BY next_run_at_ms, id LIMIT ?`);
  return {
    create: records.create,
    get: records.get,
    list: (filter, page) => records.list({ ...filter, isDeleted: 0 }, page),
    replace: (agent) =>
      database.write(() => replace.run(JSON.stringify(agent), agent.id, agent.revision - 1).changes > 0),
    listDue: async (nowMs, limit) => due.all(nowMs, limit).flatMap((row) => parseDocument<Agent>(row) ?? []),
  };
}
