import {
  type ChatRequest,
  ChatMode as ProtoMode,
  ChatPermission as ProtoPermission,
  ChatRole as ProtoRole,
  type QueryRequest,
} from '../../../gen/service/chat/v1/chat_pb.ts';
import type { ChatInput, ChatMessage, ChatPermission, ChatRole } from '../../domain/chat.ts';
import { parseUuid } from '../../domain/conversation.ts';
import { ServiceError } from '../../domain/errors.ts';
import type { ChatMode } from '../../domain/organization.ts';

const modes: Readonly<Record<number, ChatMode>> = {
  [ProtoMode.UNSPECIFIED]: 'auto',
  [ProtoMode.AUTO]: 'auto',
  [ProtoMode.TECHNICAL]: 'technical',
  [ProtoMode.SIMPLE]: 'simple',
};

const permissions: Readonly<Record<number, ChatPermission>> = {
  [ProtoPermission.UNSPECIFIED]: 'auto',
  [ProtoPermission.AUTO]: 'auto',
  [ProtoPermission.READ]: 'read',
  [ProtoPermission.WRITE]: 'write',
};

const roles: Readonly<Record<number, ChatRole>> = {
  [ProtoRole.USER]: 'user',
  [ProtoRole.ASSISTANT]: 'assistant',
  [ProtoRole.SYSTEM]: 'system',
};

/** @throws `invalid_request` */
export function toChatInput(request: ChatRequest): ChatInput {
  return {
    messages: toMessages(request),
    ...toModel(request.model),
    mode: modes[request.mode] ?? invalid('/mode', 'mode must be auto, technical or simple'),
    permission:
      permissions[request.permission] ?? invalid('/permission', 'permission must be auto, read or write'),
    ...toConversationId(request.conversationId),
  };
}

/** @throws `invalid_request` */
export function toQueryInput(request: QueryRequest): ChatInput {
  if (request.query.trim() === '') invalid('/query', 'query is required');
  return {
    messages: [{ role: 'user', content: request.query }],
    ...toModel(request.model),
    mode: modes[request.mode] ?? invalid('/mode', 'mode must be auto, technical or simple'),
    permission:
      permissions[request.permission] ?? invalid('/permission', 'permission must be auto, read or write'),
  };
}

/** `message` wins over `messages`. */
function toMessages({ message, messages }: ChatRequest): readonly ChatMessage[] {
  if (message !== undefined) {
    if (message.trim() === '') invalid('/message', 'message must not be empty');
    return [{ role: 'user', content: message }];
  }
  if (messages.length === 0) invalid('/message', 'either message or messages is required');
  const read = messages.map(({ role, content }, index) => {
    const name = roles[role] ?? invalid(`/messages/${index}/role`, 'role must be user, assistant or system');
    if (name === 'user' && content.trim() === '') {
      invalid(`/messages/${index}/content`, `messages[${index}].content must not be empty`);
    }
    return { role: name, content };
  });
  if (read.every(({ role }) => role === 'system')) {
    invalid('/messages', 'messages must hold something else than system messages');
  }
  return read;
}

function toModel(model: string | undefined): { model?: string } {
  return model === undefined || model === '' ? {} : { model };
}

function toConversationId(text: string | undefined): { conversationId?: string } {
  if (text === undefined) return {};
  return {
    conversationId: parseUuid(text) ?? invalid('/conversation_id', 'conversation_id must be a UUID'),
  };
}

function invalid(pointer: string, detail: string): never {
  throw new ServiceError('invalid_request', { detail, violations: [{ pointer, detail }] });
}
