/** A message with the tokens that it takes in a prompt. */
export interface Counted<Message> {
  readonly message: Message;
  readonly tokens: number;
}

/** The parts of a prompt, in the order in which the model reads them. */
export interface PromptParts<Message> {
  /** Always kept. */
  readonly system: readonly Counted<Message>[];
  /** Earlier turns, the oldest first; each is kept or dropped whole. */
  readonly history: readonly (readonly Counted<Message>[])[];
  /** The turn under way, its tool calls and results included; always kept. */
  readonly current: readonly Counted<Message>[];
}

export interface FittedPrompt<Message> {
  readonly messages: readonly Message[];
  readonly tokens: number;
}

/** Tokens that a chat format adds to each message, and to the prompt (OpenAI cookbook, "How to count tokens"). */
export const messageOverheadTokens = 4;
const promptOverheadTokens = 3;

/**
 * Returns the prompt with as many of the last turns of the history as fit into `tokensMax` without a gap, or undefined
 * when it is too long even without any.
 */
export function fitPrompt<Message>(
  { system, history, current }: PromptParts<Message>,
  tokensMax: number,
): FittedPrompt<Message> | undefined {
  let tokens = promptOverheadTokens + tokensOf(system) + tokensOf(current);
  if (tokens > tokensMax) return undefined;
  let first = history.length;
  while (first > 0) {
    const turnTokens = tokensOf(history[first - 1] ?? []);
    if (tokens + turnTokens > tokensMax) break;
    tokens += turnTokens;
    first -= 1;
  }
  const parts = [...system, ...history.slice(first).flat(), ...current];
  return { messages: parts.map(({ message }) => message), tokens };
}

export function tokensOf(parts: readonly Counted<unknown>[]): number {
  return parts.reduce((sum, { tokens }) => sum + tokens, 0);
}

/** Splits messages into turns: each begins with a user message, or is what comes before the first one. */
export function splitTurns<Message extends { readonly role: string }>(
  messages: readonly Message[],
): readonly (readonly Message[])[] {
  const turns: Message[][] = [];
  for (const message of messages) {
    const turn = turns.at(-1);
    if (turn === undefined || (message.role === 'user' && turn.some(({ role }) => role === 'user'))) {
      turns.push([message]);
    } else {
      turn.push(message);
    }
  }
  return turns;
}
