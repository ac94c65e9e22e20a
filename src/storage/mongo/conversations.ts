import type { Document } from 'mongodb';
import type { Conversation } from '../../domain/conversation.ts';
import type { ConversationStore } from '../../ports/conversation-store.ts';
import { StoreConflict } from '../../ports/store.ts';
import { conversationFields } from './collections.ts';
import type { Database } from './database.ts';
import { fromDocument, toDocument } from './fields.ts';
import { queries } from './queries.ts';

const released = { lockToken: null, lockEndsAtMs: null };

export function openConversations(database: Database): ConversationStore {
  async function unlock(id: string, token: string): Promise<void> {
    await database.update(queries.lockedConversation(id, token), { $set: released });
  }

  /** False when the id or the time of update is taken. */
  async function insertListed(conversation: Conversation, lastPosition: number): Promise<boolean> {
    const document = { ...toDocument(conversationFields, conversation), ...listingOf(conversation) };
    try {
      await database.insert('conversations', { ...document, ...released, lastPosition, deletedAtMs: null });
      return true;
    } catch (error) {
      if (error instanceof StoreConflict) return false;
      throw error;
    }
  }

  /** False when there is no such document, `'taken'` when the time of update is. */
  async function note(
    conversation: Conversation,
    position: number,
    lockToken: string | undefined,
  ): Promise<boolean | 'taken'> {
    const { id, model, mode, updatedAtMs } = conversation;
    const turn = { position, updatedAtMs, ...(lockToken !== undefined && { lockToken }) };
    const $set = { model, mode, updatedAtMs, lastPosition: position, ...listingOf(conversation) };
    try {
      return await database.update(queries.conversationBefore(id, turn), {
        $set: { ...$set, ...(lockToken !== undefined && released) },
      });
    } catch (error) {
      if (error instanceof StoreConflict) return 'taken';
      throw error;
    }
  }

  return {
    create(conversation, { token, leaseEndsAtMs }) {
      const lock = { lockToken: token, lockEndsAtMs: leaseEndsAtMs };
      const document = toDocument(conversationFields, conversation);
      return database.insert('conversations', { ...document, ...lock, lastPosition: 0, deletedAtMs: null });
    },

    async lock(id, owner, { token, leaseEndsAtMs }, nowMs) {
      const locked = await database.findAndUpdate(queries.unlockedConversation(id, owner, nowMs), {
        $set: { lockToken: token, lockEndsAtMs: leaseEndsAtMs },
      });
      if (locked !== undefined) {
        return { state: 'locked', conversation: fromDocument(conversationFields, locked) };
      }
      const found = await database.findOne(queries.conversationOfOwner(id, owner));
      return { state: found === undefined ? 'missing' : 'held' };
    },

    renew: (id, token, leaseEndsAtMs) =>
      database.update(queries.lockedConversation(id, token), { $set: { lockEndsAtMs: leaseEndsAtMs } }),

    unlock,

    discard: async (id, token) => void (await database.delete(queries.unlistedConversation(id, token))),

    async noteTurn(conversation, { position, updatedAtMs: fromMs, lockToken }) {
      const { id } = conversation;
      let updatedAtMs = fromMs;
      // Most often the first turn begins its conversation.
      if (position === 1 && (await insertListed({ ...conversation, updatedAtMs }, position))) return;
      // Most often the caller holds the lock and the time is free: then one update does all.
      let holdsLock = true;
      for (;;) {
        const noted = { ...conversation, updatedAtMs };
        const outcome = await note(noted, position, holdsLock ? lockToken : undefined);
        if (outcome === true) return;
        if (outcome === 'taken') {
          updatedAtMs += 1;
          continue;
        }
        const known = await database.findOne(queries.conversation(id));
        if (known === undefined) {
          if (await insertListed(noted, position)) return;
          updatedAtMs += 1;
          continue;
        }
        holdsLock = known.lockToken === lockToken;
        if (known.deletedAtMs !== null || known.lastPosition >= position) break;
        updatedAtMs = Math.max(updatedAtMs, known.updatedAtMs + 1);
      }
      if (holdsLock) await unlock(id, lockToken);
    },

    async get(id, owner) {
      const document = await database.findOne(queries.conversationOfOwner(id, owner));
      return document && fromDocument(conversationFields, document);
    },

    async list(owner, { limit, beforeMs = Number.MAX_SAFE_INTEGER }) {
      const documents = await database.find(queries.listedConversations(owner, beforeMs, limit));
      return documents.map((document) => fromDocument(conversationFields, document));
    },

    delete: (id, owner, nowMs) =>
      database.update(queries.conversationOfOwner(id, owner), {
        $set: { deletedAtMs: nowMs },
        $unset: { listedOrganizationId: '', listedActorId: '', listedAtMs: '' },
      }),
  };
}

/** Returns the fields that a conversation has while it is listed. */
export function listingOf({ organizationId, actorId, updatedAtMs }: Conversation): Document {
  return { listedOrganizationId: organizationId, listedActorId: actorId, listedAtMs: updatedAtMs };
}
