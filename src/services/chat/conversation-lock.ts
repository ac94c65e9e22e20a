import type { Conversation, ConversationOwner } from '../../domain/conversation.ts';
import { ServiceError } from '../../domain/errors.ts';
import { limits } from '../../domain/limits.ts';
import type { Clock } from '../../ports/clock.ts';
import type { ConversationStore } from '../../ports/conversation-store.ts';
import { startDeadline } from './deadline.ts';
import { orAborted } from './or-aborted.ts';

export interface LockRequest {
  readonly id: string;
  readonly owner: ConversationOwner;
  /** Unique for the holder. */
  readonly token: string;
  readonly signal: AbortSignal;
}

export interface ConversationLocks {
  /**
   * Waits up to 30 s for the conversation's lock. The turns of this process get it in the order in which they asked;
   * other processes contend for it at the store.
   *
   * @throws `conversation_not_found`, `request_in_progress`; the reason of the signal.
   */
  take(request: LockRequest): Promise<Conversation>;
  /** Lets the next one of this process have it. The lock at the store is given back by the caller. */
  leave(id: string, owner: ConversationOwner): void;
}

const pollMs = { first: 50, longest: 500 };

export function createConversationLocks(deps: {
  readonly conversations: ConversationStore;
  readonly clock: Clock;
  readonly waitMs?: number;
}): ConversationLocks {
  const { waitMs = limits.chat.turnWaitMs } = deps;
  const queues = new Map<string, (() => void)[]>();

  /** Resolves when those who asked before have left. */
  async function enter(place: string, signal: AbortSignal): Promise<void> {
    const queue = queues.get(place);
    if (queue === undefined) {
      queues.set(place, []);
      return;
    }
    let admit = () => {};
    const admitted = new Promise<void>((resolve) => {
      admit = resolve;
      queue.push(admit);
    });
    try {
      await orAborted(admitted, signal);
    } catch (error) {
      const index = queue.indexOf(admit);
      if (index >= 0) queue.splice(index, 1);
      else leave(place);
      throw error;
    }
  }

  function leave(place: string): void {
    const next = queues.get(place)?.shift();
    if (next === undefined) queues.delete(place);
    else next();
  }

  async function contend({ id, owner, token }: LockRequest, signal: AbortSignal): Promise<Conversation> {
    for (let pauseMs: number = pollMs.first; ; pauseMs = Math.min(pauseMs * 2, pollMs.longest)) {
      const nowMs = deps.clock.now();
      const lock = { token, leaseEndsAtMs: nowMs + limits.chat.conversationLeaseMs };
      const result = await deps.conversations.lock(id, owner, lock, nowMs);
      if (result.state === 'locked') return result.conversation;
      if (result.state === 'missing') throw new ServiceError('conversation_not_found');
      await pause(pauseMs, signal);
    }
  }

  return {
    async take(request) {
      const patience = startDeadline(request.signal, waitMs);
      const { signal } = patience;
      // A stranger to the conversation must not be able to tell that it is in use: everybody waits among their own.
      const place = placeOf(request.id, request.owner);
      try {
        await enter(place, signal);
        try {
          return await contend(request, signal);
        } catch (error) {
          leave(place);
          throw error;
        }
      } catch (error) {
        if (request.signal.aborted) throw request.signal.reason;
        if (!patience.isOver || error instanceof ServiceError) throw error;
        throw new ServiceError('request_in_progress', {
          detail: 'Another turn of the conversation is still being processed.',
        });
      } finally {
        patience.end();
      }
    },
    leave: (id, owner) => leave(placeOf(id, owner)),
  };
}

function placeOf(id: string, { organizationId, actorId }: ConversationOwner): string {
  return `${organizationId} ${actorId} ${id}`;
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return orAborted(new Promise((resolve) => setTimeout(resolve, ms)), signal);
}
