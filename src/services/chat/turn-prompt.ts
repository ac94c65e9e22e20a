import type { ChatMessage } from '../../domain/chat.ts';
import type { StoredMessage } from '../../domain/conversation.ts';
import { type Counted, messageOverheadTokens, type PromptParts, splitTurns } from '../../domain/prompt.ts';
import type { ChatModel, ModelMessage } from '../../ports/model.ts';
import type { Tokenizer } from '../../ports/tokenizer.ts';
import type { Tool } from '../../ports/tool.ts';
import type { TurnStore } from '../../ports/turn-store.ts';

/** A message of the request with its tokens. */
export interface CountedMessage {
  readonly message: ChatMessage;
  readonly tokens: number;
}

/** Counts the messages of a request; none further than the model's context reaches. */
export async function countMessages(
  tokenizer: Tokenizer,
  messages: readonly ChatMessage[],
  model: ChatModel,
): Promise<readonly CountedMessage[]> {
  const counted: CountedMessage[] = [];
  for (const message of messages) {
    counted.push({ message, tokens: await tokenizer.count(message.content, model.contextTokens) });
  }
  return counted;
}

/** Tokens of the declarations of tools, as JSON. */
export async function countTools(tokenizer: Tokenizer, tools: readonly Tool[]): Promise<number> {
  if (tools.length === 0) return 0;
  const declared = tools.map(({ name, description, parameters }) => ({ name, description, parameters }));
  return countOnce(tokenizer, JSON.stringify(declared));
}

/** The prompt of a turn before any tool was called: its last turn is kept, earlier ones as far as there is room. */
export async function turnPrompt(
  tokenizer: Tokenizer,
  system: string,
  history: readonly (readonly StoredMessage[])[],
  input: readonly CountedMessage[],
): Promise<PromptParts<ModelMessage>> {
  const guidance = input.filter(({ message }) => message.role === 'system');
  const spoken = input.filter(({ message }) => message.role !== 'system');
  const turns = splitTurns(spoken.map(({ message, tokens }) => ({ role: message.role, message, tokens })));
  const base = {
    message: { role: 'system', content: system } as const,
    tokens: await countOnce(tokenizer, system),
  };
  return {
    system: [base, ...guidance].map(inPrompt),
    history: [
      ...history.map((messages) => messages.map((message) => inPrompt({ message, tokens: message.tokens }))),
      ...turns.slice(0, -1).map((turn) => turn.map(inPrompt)),
    ],
    current: (turns.at(-1) ?? []).map(inPrompt),
  };
}

/** Counts of texts that come again and again: there are few system prompts. */
const knownCounts = new WeakMap<Tokenizer, Map<string, number>>();
const knownCountsMax = 100;

async function countOnce(tokenizer: Tokenizer, text: string): Promise<number> {
  const counts = knownCounts.get(tokenizer) ?? new Map<string, number>();
  knownCounts.set(tokenizer, counts);
  const known = counts.get(text);
  if (known !== undefined) return known;
  const tokens = await tokenizer.count(text);
  if (counts.size >= knownCountsMax) counts.clear();
  counts.set(text, tokens);
  return tokens;
}

function inPrompt({ message, tokens }: CountedMessage): Counted<ModelMessage> {
  const { role, content } = message;
  return { message: { role, content }, tokens: tokens + messageOverheadTokens };
}

export interface History {
  /** As many of the last turns as `tokensMax` reaches, the oldest first. */
  readonly turns: readonly (readonly StoredMessage[])[];
  /** Of the last turn; 0 when there is none. */
  readonly lastPosition: number;
  /** Of the last message; 0 when there is none. */
  readonly lastMessageId: number;
}

export const noHistory: History = { turns: [], lastPosition: 0, lastMessageId: 0 };

const entriesPerPage = 50;

export async function loadHistory(
  store: TurnStore,
  conversationId: string,
  tokensMax: number,
): Promise<History> {
  const turns: (readonly StoredMessage[])[] = [];
  let tokens = 0;
  let lastPosition = 0;
  let beforePosition: number | undefined;
  for (;;) {
    const page = { limit: entriesPerPage, ...(beforePosition === undefined ? {} : { beforePosition }) };
    const entries = await store.entries(conversationId, page);
    lastPosition ||= entries[0]?.position ?? 0;
    for (const { messages } of entries) {
      turns.unshift(messages);
      tokens += messages.reduce((sum, message) => sum + message.tokens + messageOverheadTokens, 0);
      if (tokens > tokensMax) break;
    }
    beforePosition = entries.at(-1)?.position;
    if (tokens > tokensMax || entries.length < entriesPerPage) break;
  }
  return { turns, lastPosition, lastMessageId: turns.at(-1)?.at(-1)?.id ?? 0 };
}
