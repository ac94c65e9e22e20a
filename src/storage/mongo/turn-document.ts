import type { Document } from 'mongodb';
import type { Turn } from '../../domain/turn.ts';
import { turnFields } from './collections.ts';
import { toChange } from './fields.ts';

/** Returns the document of a turn. */
export function toTurnDocument(turn: Turn): Document {
  const { id, claim, entry, ...fields } = turn;
  const isUnfinished = !turn.applied;
  const flat = {
    ...fields,
    claimName: claim?.name ?? null,
    claimFingerprint: claim?.fingerprint ?? null,
    claimExpiresAtMs: claim?.expiresAtMs ?? null,
    entryConversationId: entry === null ? null : (turn.conversation?.id ?? null),
    entryPosition: entry?.position ?? null,
    entryMessages: entry?.messages ?? null,
    deadAtMs: isUnfinished && turn.status === 'running' ? turn.leaseEndsAtMs : null,
    unappliedAtMs: isUnfinished && turn.status === 'committed' ? turn.committedAtMs : null,
  };
  return { _id: id, ...toChange(turnFields, flat).$set };
}

/** Returns the turn of a document. */
export function fromTurnDocument(document: Document): Turn {
  const { claimName, claimFingerprint, claimExpiresAtMs, entryPosition, entryMessages } = document;
  return {
    id: document._id,
    kind: document.kind,
    organizationId: document.organizationId,
    accountId: document.accountId,
    conversation: document.conversation,
    claim:
      claimName === undefined
        ? null
        : { name: claimName, fingerprint: claimFingerprint, expiresAtMs: claimExpiresAtMs },
    status: document.status,
    fence: document.fence,
    leaseEndsAtMs: document.leaseEndsAtMs,
    holds: document.holds,
    charges: document.charges,
    rounds: document.rounds,
    entry: entryPosition === undefined ? null : { position: entryPosition, messages: entryMessages },
    answer: document.answer === null ? null : JSON.parse(document.answer),
    applied: document.applied,
    createdAtMs: document.createdAtMs,
    committedAtMs: document.committedAtMs,
  };
}
