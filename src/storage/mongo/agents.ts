import type { Agent } from '../../domain/agent.ts';
import type { AgentFilter, AgentStore } from '../../ports/agent-store.ts';
import { agentFields } from './collections.ts';
import type { Database } from './database.ts';
import { fromDocument, toChange } from './fields.ts';
import { queries } from './queries.ts';
import { createRecordStore } from './record-store.ts';

export function openAgents(database: Database): AgentStore {
  const records = createRecordStore<Agent, AgentFilter>(database, {
    collection: 'agents',
    fields: agentFields,
    byId: queries.agent,
    list({ ownerId, organizationId }, page) {
      const inOrganization = organizationId !== undefined && { organizationId };
      if (ownerId !== undefined) return queries.agentsOfOwner({ ownerId, ...inOrganization }, page);
      if (organizationId !== undefined) return queries.agentsOfOrganization(organizationId, page);
      return queries.agents(page);
    },
  });
  return {
    create: records.create,
    get: records.get,
    list: records.list,
    replace: (agent) =>
      database.update(queries.agentAtRevision(agent.id, agent.revision - 1), toChange(agentFields, agent)),
    async listDue(nowMs, limit) {
      const documents = await database.find(queries.dueAgents(nowMs, limit));
      return documents.map((document) => fromDocument(agentFields, document));
    },
  };
}
