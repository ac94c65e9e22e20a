import type { Conversation, ConversationOwner, StoredMessage } from '../domain/conversation.ts';
import { ServiceError } from '../domain/errors.ts';
import { limits } from '../domain/limits.ts';
import type { Clock } from '../ports/clock.ts';
import type { ConversationStore } from '../ports/conversation-store.ts';
import type { TurnStore } from '../ports/turn-store.ts';

export interface ConversationList {
  readonly data: readonly Conversation[];
  /** Whether the page is full, so that more may follow. */
  readonly hasMore: boolean;
}

export interface ConversationWithMessages extends Conversation {
  readonly messages: readonly StoredMessage[];
}

/** The stored conversations of an actor. Another actor's are as good as none. */
export interface Conversations {
  /**
   * Lists the last changed first.
   *
   * @param page `limit` 1 to 100, default 25; `beforeMs`: only those that changed strictly before.
   * @throws `invalid_request`
   */
  list(
    owner: ConversationOwner,
    page: { readonly limit?: number; readonly beforeMs?: number },
  ): Promise<ConversationList>;
  /** @throws `not_found` */
  get(owner: ConversationOwner, id: string): Promise<ConversationWithMessages>;
  /** Hides a conversation; its record stays. @throws `not_found` */
  delete(owner: ConversationOwner, id: string): Promise<void>;
}

const entriesPerPage = 200;

export function createConversations(deps: {
  readonly store: { readonly conversations: ConversationStore; readonly turns: TurnStore };
  readonly clock: Clock;
}): Conversations {
  const { conversations, turns } = deps.store;

  async function readMessages(id: string): Promise<readonly StoredMessage[]> {
    const pages: (readonly StoredMessage[])[] = [];
    let beforePosition: number | undefined;
    for (;;) {
      const page = { limit: entriesPerPage, ...(beforePosition === undefined ? {} : { beforePosition }) };
      const entries = await turns.entries(id, page);
      for (const { messages } of entries) pages.unshift(messages);
      if (entries.length < entriesPerPage) return pages.flat();
      beforePosition = entries.at(-1)?.position;
    }
  }

  return {
    async list(owner, { limit = limits.conversations.pageSizeDefault, beforeMs }) {
      const { pageSizeMin, pageSizeMax } = limits.conversations;
      if (!Number.isInteger(limit) || limit < pageSizeMin || limit > pageSizeMax) {
        const detail = `limit must be ${pageSizeMin} to ${pageSizeMax}`;
        throw new ServiceError('invalid_request', { detail, violations: [{ pointer: '/limit', detail }] });
      }
      const data = await conversations.list(owner, {
        limit,
        ...(beforeMs === undefined ? {} : { beforeMs }),
      });
      return { data, hasMore: data.length === limit };
    },

    async get(owner, id) {
      const conversation = await conversations.get(id, owner);
      if (conversation === undefined) throw new ServiceError('not_found');
      return { ...conversation, messages: await readMessages(id) };
    },

    async delete(owner, id) {
      if (!(await conversations.delete(id, owner, deps.clock.now()))) throw new ServiceError('not_found');
    },
  };
}
