import type { Session } from '../../domain/session.ts';
import type { SessionStore } from '../../ports/session-store.ts';
import { toStoreFailure } from './conflicts.ts';
import type { Database } from './database.ts';
import { parseDocument } from './record-store.ts';

export function openSessions(database: Database): SessionStore {
  const insert = database.prepare('INSERT INTO sessions (id, document) VALUES (?, ?)');
  const select = database.prepare('SELECT document FROM sessions WHERE id = ?');
  const touch = database.prepare(`
    UPDATE sessions SET document = json_set(document, '$.lastUsedAtMs', ?1)
    WHERE id = ?2 AND last_used_at_ms < ?1`);
  const remove = database.prepare('DELETE FROM sessions WHERE id = ?');
  const removeOfUser = database.prepare(`
    DELETE FROM sessions WHERE id IN (
      SELECT id FROM sessions WHERE user_id = ? ORDER BY created_at_ms DESC, id DESC LIMIT -1 OFFSET ?)`);
  const forget = database.prepare('DELETE FROM sessions WHERE expires_at_ms <= ?');
  return {
    create: (session) =>
      database
        .write(() => void insert.run(session.id, JSON.stringify(session)))
        .catch((error: unknown) => {
          throw toStoreFailure(error);
        }),
    get: async (id) => parseDocument<Session>(select.get(id)),
    touch: (id, usedAtMs) => database.write(() => void touch.run(usedAtMs, id)),
    delete: (id) => database.write(() => remove.run(id).changes > 0),
    deleteOfUser: (userId, keep) => database.write(() => void removeOfUser.run(userId, keep)),
    forgetExpired: (nowMs) => database.write(() => void forget.run(nowMs)),
  };
}
