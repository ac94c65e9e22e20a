import type { ChatMessage } from './chat.ts';
import { limits } from './limits.ts';
import type { ChatMode } from './organization.ts';

/** A thread of turns. Times are Unix milliseconds. */
export interface Conversation {
  /** UUID in lower case. */
  readonly id: string;
  readonly organizationId: string;
  readonly actorId: string;
  readonly title: string;
  /** Of the last turn. */
  readonly model: string;
  readonly mode: ChatMode;
  readonly createdAtMs: number;
  /** Unique among the actor's listed conversations. */
  readonly updatedAtMs: number;
}

/** What is stored of a message. */
export interface StoredMessage {
  /** From 1 in its conversation, without gaps. */
  readonly id: number;
  readonly role: 'user' | 'assistant';
  readonly content: string;
  /** As the tokenizer counts the content. */
  readonly tokens: number;
  readonly createdAtMs: number;
}

/** Who may see a conversation: both must match. */
export interface ConversationOwner {
  readonly organizationId: string;
  readonly actorId: string;
}

/** Returns the first 80 characters (code points) of the first user message, white space folded. */
export function conversationTitle(messages: readonly ChatMessage[]): string {
  const first =
    messages.find(({ role }) => role === 'user') ?? messages.find(({ role }) => role !== 'system');
  const start = (first?.content ?? '').slice(0, limits.chat.titleChars * 64);
  return [...start.replaceAll(/\s+/gu, ' ').trim()].slice(0, limits.chat.titleChars).join('').trim();
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Returns the UUID in lower case, or undefined when `text` is none (RFC 9562, section 4). */
export function parseUuid(text: string): string | undefined {
  return uuid.test(text) ? text.toLowerCase() : undefined;
}
