import { parseUsage } from '../../domain/token-usage.ts';
import { type CompletionDelta, ModelFailure } from '../../ports/model.ts';

type Fields = Readonly<Record<string, unknown>>;

const finishReasons: Readonly<Record<string, 'stop' | 'length' | 'tool_calls'>> = {
  stop: 'stop',
  length: 'length',
  tool_calls: 'tool_calls',
  function_call: 'tool_calls',
  content_filter: 'stop',
};

/**
 * Returns what a chunk of a streamed completion says, in order, or a whole completion that a server gave instead of a
 * stream (its `message` has the form of a `delta`).
 *
 * @throws ModelFailure when the chunk is an error or not of the form.
 */
export function parseChunk(text: string): CompletionDelta[] {
  let chunk: unknown;
  try {
    chunk = JSON.parse(text);
  } catch (cause) {
    throw new ModelFailure('broken', 'a chunk of the reply is not valid JSON', cause);
  }
  if (!isObject(chunk)) throw new ModelFailure('broken', 'a chunk of the reply is not an object');
  if (chunk.error !== undefined && chunk.error !== null) {
    throw new ModelFailure('broken', `the model server reported: ${excerpt(JSON.stringify(chunk.error))}`);
  }
  const deltas: CompletionDelta[] = [];
  const choices = Array.isArray(chunk.choices) ? (chunk.choices as readonly unknown[]) : [];
  const choice = choices.find((one) => isObject(one) && (one.index ?? 0) === 0);
  if (isObject(choice)) readChoice(choice, deltas);
  const usage = chunk.usage == null ? undefined : parseUsage(chunk.usage);
  if (usage !== undefined) deltas.push({ type: 'usage', usage });
  return deltas;
}

function readChoice(choice: Fields, deltas: CompletionDelta[]): void {
  const delta = choice.delta ?? choice.message;
  if (isObject(delta)) {
    const { content, refusal, tool_calls: calls } = delta;
    if (typeof content === 'string' && content !== '') deltas.push({ type: 'text', text: content });
    if (typeof refusal === 'string' && refusal !== '') deltas.push({ type: 'text', text: refusal });
    if (Array.isArray(calls)) {
      for (const [position, call] of calls.entries()) readCall(call, position, deltas);
    }
  }
  const reason = choice.finish_reason;
  if (typeof reason === 'string') deltas.push({ type: 'finish', reason: finishReasons[reason] ?? 'stop' });
}

function readCall(call: unknown, position: number, deltas: CompletionDelta[]): void {
  if (!isObject(call)) throw new ModelFailure('broken', 'a tool call of the reply is not an object');
  const { index, id } = call;
  const called = isObject(call.function) ? call.function : {};
  const { name, arguments: args } = called;
  deltas.push({
    type: 'tool_call',
    index: Number.isInteger(index) ? (index as number) : position,
    ...(typeof id === 'string' ? { id } : {}),
    ...(typeof name === 'string' ? { name } : {}),
    ...argumentsOf(args),
  });
}

/** Some servers give the arguments as an object in place of its JSON. */
function argumentsOf(args: unknown): { arguments?: string } {
  if (typeof args === 'string') return { arguments: args };
  return isObject(args) ? { arguments: JSON.stringify(args) } : {};
}

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function excerpt(text: string): string {
  return text.slice(0, 500);
}
