import type { Conversation } from '../../domain/conversation.ts';
import type { ChatMode } from '../../domain/organization.ts';
import type { ConversationStore, LockResult } from '../../ports/conversation-store.ts';
import { toStoreFailure } from './conflicts.ts';
import type { Database } from './database.ts';

const columns = 'id, organization_id, actor_id, title, model, mode, created_at_ms, updated_at_ms';
/** How far a free time of update is looked for at once. */
const searchedMs = 1_000;

const visible = 'id = ? AND organization_id = ? AND actor_id = ? AND deleted_at_ms IS NULL';

export function openConversations(database: Database): ConversationStore {
  const insert = database.prepare(`
    INSERT INTO conversations (${columns}, last_position, lock_token, lock_ends_at_ms)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`);
  const select = database.prepare(`SELECT ${columns} FROM conversations WHERE ${visible}`);
  const takeLock = database.prepare(`
    UPDATE conversations SET lock_token = ?, lock_ends_at_ms = ?
    WHERE ${visible} AND (lock_token IS NULL OR lock_ends_at_ms <= ?)
    RETURNING ${columns}`);
  const renewLock = database.prepare(
    'UPDATE conversations SET lock_ends_at_ms = ? WHERE id = ? AND lock_token = ?',
  );
  const dropLock = database.prepare(`
    UPDATE conversations SET lock_token = NULL, lock_ends_at_ms = NULL WHERE id = ? AND lock_token = ?`);
  const remove = database.prepare(
    'DELETE FROM conversations WHERE id = ? AND lock_token = ? AND last_position = 0',
  );
  const position = database.prepare('SELECT last_position, updated_at_ms FROM conversations WHERE id = ?');
  const lastTaken = database.prepare(`
    SELECT max(updated_at_ms) AS taken FROM conversations
    WHERE organization_id = ? AND actor_id = ? AND updated_at_ms BETWEEN ? AND ? AND last_position > 0
      AND deleted_at_ms IS NULL AND id <> ?`);
  const note = database.prepare(`
    UPDATE conversations SET model = ?, mode = ?, updated_at_ms = ?, last_position = ? WHERE id = ?`);
  const listAll = database.prepare(`
    SELECT ${columns} FROM conversations
    WHERE organization_id = ? AND actor_id = ? AND updated_at_ms < ? AND last_position > 0
      AND deleted_at_ms IS NULL
    ORDER BY updated_at_ms DESC LIMIT ?`);
  const hide = database.prepare(`UPDATE conversations SET deleted_at_ms = ? WHERE ${visible}`);

  function create(
    conversation: Conversation,
    lastPosition: number,
    token: string | null,
    ends: number | null,
  ) {
    const { id, organizationId, actorId, title, model, mode, createdAtMs, updatedAtMs } = conversation;
    insert.run(
      id,
      organizationId,
      actorId,
      title,
      model,
      mode,
      createdAtMs,
      updatedAtMs,
      lastPosition,
      token,
      ends,
    );
  }

  /** Returns `fromMs`, or the time after those that are taken from there on. */
  function freeUpdateTime({ id, organizationId, actorId }: Conversation, fromMs: number): number {
    for (let updatedAtMs = fromMs; ; ) {
      const row = lastTaken.get(organizationId, actorId, updatedAtMs, updatedAtMs + searchedMs, id);
      if (row?.taken == null) return updatedAtMs;
      updatedAtMs = (row.taken as number) + 1;
    }
  }

  return {
    async create(conversation, { token, leaseEndsAtMs }) {
      try {
        await database.write(() => create(conversation, 0, token, leaseEndsAtMs));
      } catch (error) {
        throw toStoreFailure(error);
      }
    },

    lock: (id, { organizationId, actorId }, { token, leaseEndsAtMs }, nowMs) =>
      database.write((): LockResult => {
        const row = takeLock.get(token, leaseEndsAtMs, id, organizationId, actorId, nowMs);
        if (row !== undefined) return { state: 'locked', conversation: toConversation(row) };
        return { state: select.get(id, organizationId, actorId) === undefined ? 'missing' : 'held' };
      }),

    renew: (id, token, leaseEndsAtMs) =>
      database.write(() => renewLock.run(leaseEndsAtMs, id, token).changes > 0),

    unlock: (id, token) => database.write(() => void dropLock.run(id, token)),

    discard: (id, token) => database.write(() => void remove.run(id, token)),

    noteTurn: (conversation, turn) =>
      database.write(() => {
        const { id, model, mode } = conversation;
        const known = position.get(id);
        if (known === undefined) {
          const updatedAtMs = freeUpdateTime(conversation, turn.updatedAtMs);
          create({ ...conversation, updatedAtMs }, turn.position, null, null);
        } else if ((known.last_position as number) < turn.position) {
          const earliest = Math.max(turn.updatedAtMs, (known.updated_at_ms as number) + 1);
          note.run(model, mode, freeUpdateTime(conversation, earliest), turn.position, id);
        }
        dropLock.run(id, turn.lockToken);
      }),

    async get(id, { organizationId, actorId }) {
      const row = select.get(id, organizationId, actorId);
      return row === undefined ? undefined : toConversation(row);
    },

    async list({ organizationId, actorId }, { limit, beforeMs = Number.MAX_SAFE_INTEGER }) {
      return listAll.all(organizationId, actorId, beforeMs, limit).map(toConversation);
    },

    delete: (id, { organizationId, actorId }, nowMs) =>
      database.write(() => hide.run(nowMs, id, organizationId, actorId).changes > 0),
  };
}

/** Returns the record of a row. */
export function toConversation(row: Readonly<Record<string, unknown>>): Conversation {
  return {
    id: row.id as string,
    organizationId: row.organization_id as string,
    actorId: row.actor_id as string,
    title: row.title as string,
    model: row.model as string,
    mode: row.mode as ChatMode,
    createdAtMs: row.created_at_ms as number,
    updatedAtMs: row.updated_at_ms as number,
  };
}
