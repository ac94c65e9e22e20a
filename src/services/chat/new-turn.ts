import type { TurnPrincipal } from '../../domain/chat.ts';
import { type Conversation, type ConversationOwner, conversationTitle } from '../../domain/conversation.ts';
import { createId } from '../../domain/id.ts';
import { bodyFingerprint, claimName } from '../../domain/idempotency.ts';
import { limits } from '../../domain/limits.ts';
import type { ChatMode } from '../../domain/organization.ts';
import type { Turn, TurnClaim } from '../../domain/turn.ts';
import type { ChatModel } from '../../ports/model.ts';
import { usageHolds } from './bill.ts';
import type { TurnContext } from './turn-dependencies.ts';
import type { TurnRequest } from './turn-request.ts';

/** Returns the record of a turn that is about to run, with its conversation when it starts one. */
export function newTurn(context: TurnContext, request: TurnRequest, model: ChatModel, mode: ChatMode): Turn {
  const { principal, input } = request;
  const nowMs = context.clock.now();
  const id = createId(nowMs, context.random.bytes(10));
  const isNew = request.isKept && input.conversationId === undefined;
  const turn: Turn = {
    id,
    kind: request.kind,
    organizationId: principal.organization.id,
    accountId: principal.apiKey.id,
    conversation: isNew ? newConversation(context, request, model, mode) : null,
    claim: toClaim(request, nowMs),
    status: 'running',
    fence: 1,
    leaseEndsAtMs: nowMs + limits.chat.idempotencyLeaseMs,
    holds: [],
    charges: [],
    rounds: [],
    entry: null,
    answer: null,
    applied: false,
    createdAtMs: nowMs,
    committedAtMs: null,
  };
  return { ...turn, holds: usageHolds(principal, turn, nowMs) };
}

function newConversation(
  { clock, random }: TurnContext,
  { principal, input }: TurnRequest,
  model: ChatModel,
  mode: ChatMode,
): Conversation {
  const nowMs = clock.now();
  return {
    id: createId(nowMs, random.bytes(10)),
    ...ownerOf(principal),
    title: conversationTitle(input.messages),
    model: model.id,
    mode,
    createdAtMs: nowMs,
    updatedAtMs: nowMs,
  };
}

function toClaim({ principal, input, idempotencyKey }: TurnRequest, nowMs: number): TurnClaim | null {
  if (idempotencyKey === undefined) return null;
  return {
    name: claimName(principal.apiKey.id, idempotencyKey),
    fingerprint: bodyFingerprint(input),
    expiresAtMs: nowMs + limits.chat.idempotencyWindowMs,
  };
}

export function ownerOf({ organization, actor }: TurnPrincipal): ConversationOwner {
  return { organizationId: organization.id, actorId: actor.id };
}
