import { create, type MessageInitShape } from '@bufbuild/protobuf';
import { type Timestamp, timestampFromMs } from '@bufbuild/protobuf/wkt';
import type { HandlerContext, ServiceImpl } from '@connectrpc/connect';
import {
  type ConversationSchema,
  type ConversationService,
  DeleteConversationResponseSchema,
  GetConversationResponseSchema,
  ListConversationsResponseSchema,
} from '../../../gen/service/conversation/v1/conversation_pb.ts';
import { type Conversation, type ConversationOwner, parseUuid } from '../../domain/conversation.ts';
import { ServiceError } from '../../domain/errors.ts';
import type { Conversations } from '../../services/conversations.ts';
import { callerOf } from '../principal.ts';

/** Returns the conversation methods of both doors. Failures are `ServiceError`. */
export function createConversationService(deps: {
  readonly conversations: Conversations;
}): ServiceImpl<typeof ConversationService> {
  const { conversations } = deps;
  return {
    async listConversations({ limit, before }, context) {
      const { data, hasMore } = await conversations.list(ownerOf(context), {
        ...(limit === undefined ? {} : { limit }),
        ...(before === undefined ? {} : { beforeMs: firstMsNotBefore(before) }),
      });
      return create(ListConversationsResponseSchema, { data: data.map(toConversation), hasMore });
    },

    async getConversation({ id }, context) {
      const { messages, ...conversation } = await conversations.get(ownerOf(context), idOf(id));
      return create(GetConversationResponseSchema, {
        ...toConversation(conversation),
        messages: messages.map((message) => ({
          id: BigInt(message.id),
          role: message.role,
          content: message.content,
          createdAt: timestampFromMs(message.createdAtMs),
        })),
      });
    },

    async deleteConversation({ id }, context) {
      await conversations.delete(ownerOf(context), idOf(id));
      return create(DeleteConversationResponseSchema);
    },
  };
}

function ownerOf(context: HandlerContext): ConversationOwner {
  const { organization, actor } = callerOf(context);
  return { organizationId: organization.id, actorId: actor.id };
}

/** What is no UUID is the id of nothing. */
function idOf(text: string): string {
  const id = parseUuid(text);
  if (id === undefined) throw new ServiceError('not_found');
  return id;
}

/** Times are stored in milliseconds: strictly before 0.5 ms is the same as strictly before 1 ms. */
function firstMsNotBefore({ seconds, nanos }: Timestamp): number {
  return Number(seconds) * 1_000 + Math.ceil(nanos / 1_000_000);
}

function toConversation(
  conversation: Conversation,
): Omit<MessageInitShape<typeof ConversationSchema>, '$typeName'> {
  const { id, title, model, mode, createdAtMs, updatedAtMs } = conversation;
  return {
    id,
    title,
    model,
    mode,
    createdAt: timestampFromMs(createdAtMs),
    updatedAt: timestampFromMs(updatedAtMs),
  };
}
