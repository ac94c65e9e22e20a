import type { FinishReason, TokenUsage } from '../../domain/chat.ts';
import { countedUsage, noTokens } from '../../domain/token-usage.ts';
import {
  type ChatModel,
  type CompletionRequest,
  ModelFailure,
  type ModelToolCall,
} from '../../ports/model.ts';
import type { Tokenizer } from '../../ports/tokenizer.ts';
import { startDeadline } from './deadline.ts';
import { orAborted } from './or-aborted.ts';

/** One completion of a model, as far as it came. */
export interface CompletedRound {
  readonly text: string;
  readonly calls: readonly ModelToolCall[];
  readonly finishReason: FinishReason;
  /** As the model server reported it. */
  readonly usage: TokenUsage | null;
}

export interface RoundRequest {
  readonly model: ChatModel;
  readonly completion: CompletionRequest;
  readonly promptTokens: number;
  readonly timeoutMs: number;
  readonly onText: (text: string) => Promise<void> | undefined;
  /**
   * Told once, however the round ends: what it used. Counted when the model server did not report it; nothing when it
   * failed before it gave anything.
   */
  readonly onUsage: (usage: TokenUsage, isReported: boolean) => void;
}

/** Characters that a token has at the least on average; a longer text is counted to see whether it is over the cap. */
const charsPerToken = 4;
const recountChars = 8_192;

/** Calls of one reply that are read; far fewer are run. */
const callsMax = 256;

/**
 * Runs one completion, passing on its text as it comes. A reply that goes on past the completion cap is cut there.
 *
 * @throws ModelFailure; the reason of the request's signal.
 */
export async function completeRound(tokenizer: Tokenizer, request: RoundRequest): Promise<CompletedRound> {
  const { model, completion, promptTokens, onText } = request;
  const deadline = startDeadline(completion.signal, request.timeoutMs);
  const { signal } = deadline;
  const calls: { id: string; name: string; arguments: string }[] = [];
  const capTokens = completion.completionTokens;
  let recountAt = capTokens * charsPerToken + recountChars;
  let text = '';
  let heldBack = '';
  let usage: TokenUsage | undefined;
  let finish: 'stop' | 'length' | 'tool_calls' | undefined;

  async function countProduced(): Promise<number> {
    return (
      (await tokenizer.count(text)) +
      (await tokenizer.count(calls.map((call) => call.name + call.arguments).join()))
    );
  }

  try {
    for await (const delta of model.complete({ ...completion, signal })) {
      if (delta.type === 'text') {
        const whole = heldBack + delta.text;
        heldBack = endsInsideCharacter(whole) ? whole.slice(-1) : '';
        const piece = heldBack === '' ? whole : whole.slice(0, -1);
        if (piece === '') continue;
        text += piece;
        const wait = onText(piece);
        if (wait !== undefined) await orAborted(wait, signal);
      } else if (delta.type === 'tool_call') {
        appendFragment(calls, delta);
      } else if (delta.type === 'usage') {
        usage = delta.usage;
      } else {
        finish = delta.reason;
      }
      if (text.length + argumentChars(calls) < recountAt) continue;
      if ((await countProduced()) > capTokens * 1.05) {
        finish = 'length';
        break;
      }
      recountAt += recountChars;
    }
    if (finish === undefined) throw new ModelFailure('broken', 'the reply ended without a finish reason');
    const reported = usage ?? countedUsage(promptTokens, await countProduced());
    request.onUsage(reported, usage !== undefined);
  } catch (error) {
    const isEmpty = text === '' && calls.length === 0;
    const used = usage ?? (isEmpty ? noTokens : countedUsage(promptTokens, await countProduced()));
    request.onUsage(used, usage !== undefined);
    if (completion.signal.aborted) throw completion.signal.reason;
    if (deadline.isOver) throw new ModelFailure('timeout', `no end after ${request.timeoutMs} ms`, error);
    throw error;
  } finally {
    deadline.end();
  }
  return {
    text,
    calls: finish === 'length' ? [] : withIds(calls),
    finishReason: finish === 'length' ? 'length' : 'stop',
    usage: usage ?? null,
  };
}

/** Whether the text ends with the first half of a surrogate pair, whose second half is still to come. */
function endsInsideCharacter(text: string): boolean {
  const last = text.charCodeAt(text.length - 1);
  return last >= 0xd800 && last <= 0xdbff;
}

interface Fragment {
  readonly index: number;
  readonly id?: string;
  readonly name?: string;
  readonly arguments?: string;
}

function appendFragment(calls: { id: string; name: string; arguments: string }[], fragment: Fragment): void {
  if (fragment.index < 0 || fragment.index > Math.min(calls.length, callsMax)) {
    throw new ModelFailure('broken', `tool call fragment out of order: ${fragment.index}`);
  }
  const call = calls[fragment.index] ?? { id: '', name: '', arguments: '' };
  calls[fragment.index] = call;
  call.id ||= fragment.id ?? '';
  call.name += fragment.name ?? '';
  call.arguments += fragment.arguments ?? '';
}

function argumentChars(calls: readonly ModelToolCall[]): number {
  return calls.reduce((sum, call) => sum + call.arguments.length, 0);
}

/** Some servers give calls no id, or the same to all. */
function withIds(calls: readonly ModelToolCall[]): readonly ModelToolCall[] {
  const seen = new Set<string>();
  return calls.map((call, index) => {
    const id = call.id === '' || seen.has(call.id) ? `call_${index + 1}` : call.id;
    seen.add(id);
    return { ...call, id };
  });
}
