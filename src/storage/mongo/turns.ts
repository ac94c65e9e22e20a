import type { Document } from 'mongodb';
import type { StoredMessage } from '../../domain/conversation.ts';
import type { Turn } from '../../domain/turn.ts';
import { StoreConflict } from '../../ports/store.ts';
import type { TurnStore } from '../../ports/turn-store.ts';
import { contended, contentionMax } from './contention.ts';
import type { Database } from './database.ts';
import { queries } from './queries.ts';
import { fromTurnDocument, toTurnDocument } from './turn-document.ts';

const lists = { unapplied: 'unappliedTurns', dead: 'deadTurns', expired: 'expiredClaims' } as const;

const noClaim = { claimName: '', claimFingerprint: '', claimExpiresAtMs: '' };
const notUnfinished = { deadAtMs: '', unappliedAtMs: '' };

export function openTurns(database: Database): TurnStore {
  const moveLease = (id: string, fence: number, leaseEndsAtMs: number) =>
    database.update(queries.runningTurn(id, fence), {
      $set: { leaseEndsAtMs, deadAtMs: leaseEndsAtMs, applied: false },
    });

  return {
    async begin(turn) {
      for (let attempt = 0; attempt < contentionMax; attempt += 1) {
        try {
          await database.insert('turns', toTurnDocument(turn));
          return undefined;
        } catch (error) {
          const isClaimed = error instanceof StoreConflict && error.field === 'claimName';
          if (!isClaimed || turn.claim === null) throw error;
        }
        const holder = await database.findOne(queries.turnOfClaim(turn.claim.name));
        if (holder !== undefined) return fromTurnDocument(holder);
      }
      throw contended();
    },

    async get(id) {
      const document = await database.findOne(queries.turn(id));
      return document && fromTurnDocument(document);
    },

    async takeOver(id, fence, { nowMs, leaseEndsAtMs, holds }) {
      const document = await database.findAndUpdate(queries.deadTurn(id, fence, nowMs), {
        $set: { leaseEndsAtMs, deadAtMs: leaseEndsAtMs, applied: false },
        $inc: { fence: 1 },
        $push: { holds: { $each: [...holds] } },
      });
      return document && fromTurnDocument(document);
    },

    renew: moveLease,

    journal: (id, fence, { rounds, charges }) =>
      database.update(queries.runningTurn(id, fence), { $set: { rounds, charges } }),

    async commit(id, fence, { conversation, charges, entry, answer, committedAtMs, claimExpiresAtMs }) {
      const place =
        entry === null || conversation === null
          ? {}
          : {
              entryConversationId: conversation.id,
              entryPosition: entry.position,
              entryMessages: entry.messages,
            };
      const $set: Document = {
        status: 'committed',
        conversation,
        charges,
        rounds: [],
        answer: answer === null ? null : JSON.stringify(answer),
        leaseEndsAtMs: 0,
        committedAtMs,
        applied: false,
        unappliedAtMs: committedAtMs,
        ...place,
      };
      const change = { $set, $unset: { deadAtMs: '' } };
      const claimed = { ...change, $set: { ...$set, claimExpiresAtMs } };
      try {
        const isCommitted =
          (claimExpiresAtMs !== null &&
            (await database.update(queries.claimedRunningTurn(id, fence), claimed))) ||
          (await database.update(queries.runningTurn(id, fence), change));
        return isCommitted ? 'committed' : 'superseded';
      } catch (error) {
        if (error instanceof StoreConflict) return 'position_taken';
        throw error;
      }
    },

    release: async (id, fence, nowMs) => void (await moveLease(id, fence, nowMs)),

    abandon: async (id, fence) => void (await database.delete(queries.runningTurn(id, fence))),

    async markApplied(ids) {
      await database.deleteAll(queries.spentTurns(ids));
      await database.updateAll(queries.turns(ids), { $set: { applied: true }, $unset: notUnfinished });
    },

    async forgetClaim(id) {
      if (await database.delete(queries.appliedTurnWithoutEntry(id))) return;
      await database.update(queries.committedTurn(id), { $set: { answer: null }, $unset: noClaim });
    },

    async entries(conversationId, { limit, beforePosition = Number.MAX_SAFE_INTEGER }) {
      const documents = await database.find(queries.entries(conversationId, beforePosition, limit));
      return documents.map((document) => ({
        position: document.entryPosition as number,
        messages: document.entryMessages as readonly StoredMessage[],
      }));
    },

    async listUnfinished({ state, beforeMs, limit }): Promise<Turn[]> {
      return (await database.find(queries[lists[state]](beforeMs, limit))).map(fromTurnDocument);
    },
  };
}
