import type { Document } from 'mongodb';
import type { Session } from '../../domain/session.ts';
import type { SessionStore } from '../../ports/session-store.ts';
import { sessionFields } from './collections.ts';
import type { Database } from './database.ts';
import { fromDocument, toDocument } from './fields.ts';
import { queries } from './queries.ts';

export function openSessions(database: Database): SessionStore {
  return {
    create: (session) => database.insert('sessions', toSessionDocument(session)),

    async get(id) {
      const document = await database.findOne(queries.session(id));
      return document && fromDocument(sessionFields, document);
    },

    async touch(id, usedAtMs) {
      const change = { $max: { lastUsedAtMs: usedAtMs } };
      await database.update(queries.session(id), change, { isExpendable: true });
    },

    delete: (id) => database.delete(queries.session(id)),

    async deleteOfUser(userId, keep) {
      for (;;) {
        const documents = await database.find(queries.sessionsOfUser(userId, keep));
        if (documents.length === 0) return;
        for (const document of documents) await database.delete(queries.session(document._id));
      }
    },

    forgetExpired: (nowMs) => database.deleteAll(queries.expiredSessions(nowMs)),
  };
}

/** Returns the document of a session. */
export function toSessionDocument(session: Session): Document {
  return { ...toDocument(sessionFields, session), expireAt: new Date(session.expiresAtMs) };
}
