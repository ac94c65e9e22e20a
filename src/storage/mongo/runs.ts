import type { Document } from 'mongodb';
import type { Run } from '../../domain/run.ts';
import type { RunStore } from '../../ports/run-store.ts';
import { runFields } from './collections.ts';
import type { Database } from './database.ts';
import { fromDocument, toChange, toDocument } from './fields.ts';
import { queries } from './queries.ts';

export function openRuns(database: Database): RunStore {
  const toRun = (document: Document): Run => fromDocument(runFields, document);
  return {
    create: (run) => database.insert('runs', toDocument(runFields, run)),
    async get(id) {
      const document = await database.findOne(queries.run(id));
      return document && toRun(document);
    },
    replace: (run) =>
      database.update(queries.runAtRevision(run.id, run.revision - 1), toChange(runFields, run)),
    list: async (agentId, page) => (await database.find(queries.runsOfAgent(agentId, page))).map(toRun),
    async findActive(agentId) {
      const document = await database.findOne(queries.activeRun(agentId));
      return document && toRun(document);
    },
    listDue: async (beforeMs, limit) =>
      (await database.find(queries.dueRuns(beforeMs, limit))).map((document) => String(document._id)),
  };
}
