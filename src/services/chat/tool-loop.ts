import type { FinishReason, TokenUsage, TurnPrincipal } from '../../domain/chat.ts';
import { ServiceError } from '../../domain/errors.ts';
import { limits } from '../../domain/limits.ts';
import {
  type Counted,
  type FittedPrompt,
  fitPrompt,
  messageOverheadTokens,
  type PromptParts,
  tokensOf,
} from '../../domain/prompt.ts';
import type { TurnRound } from '../../domain/turn.ts';
import type { ChatModel, ModelMessage } from '../../ports/model.ts';
import type { Tokenizer } from '../../ports/tokenizer.ts';
import type { Tool } from '../../ports/tool.ts';
import { type CompletedRound, completeRound } from './complete-round.ts';
import { invokedCalls, planCalls, runCalls, shortened, type ToolRun, toRoundCalls } from './run-tools.ts';
import type { EmitTurnEvent, TurnProgress } from './turn-progress.ts';

export interface LoopRequest {
  readonly turnId: string;
  readonly principal: TurnPrincipal;
  readonly model: ChatModel;
  readonly prompt: PromptParts<ModelMessage>;
  readonly tools: readonly Tool[];
  /** Tokens of the tools' declarations. */
  readonly toolTokens: number;
  /** Rounds that former runners of the turn left behind; `progress` begins with them. */
  readonly resumed: readonly TurnRound[];
  /** Whether somebody follows the events. */
  readonly isFollowed: boolean;
  readonly signal: AbortSignal;
  readonly timeLimits: { readonly roundMs: number; readonly toolMs: number };
}

/** What the loop tells its owner, who keeps the books. */
export interface LoopHooks {
  readonly emit: EmitTurnEvent;
  /** Before a model is called; a refusal ends the turn. */
  readonly reserve: (round: number, promptTokens: number) => Promise<void>;
  /** A round's tokens, once each. */
  readonly charge: (round: number, tokens: number) => void;
  /** Before tools run, and after each result when one of them writes, else after all. */
  readonly journal: (rounds: readonly TurnRound[]) => Promise<void>;
  readonly report: (message: string, cause: unknown) => void;
  /** Tokens of a completion, for figures. */
  readonly countTokens?: ((model: string, usage: TokenUsage) => void) | undefined;
}

/** Most tokens that a prompt of the model may have. */
export function promptTokensMax(model: ChatModel, toolTokens: number): number {
  return model.contextTokens - model.completionTokens - toolTokens;
}

/**
 * Calls the model, runs the tools that it asks for and tells it their results, until it answers, at most 8 times; then
 * it must answer without. Everything that is produced goes into `progress` as it happens.
 *
 * @throws ModelFailure; `budget_exhausted`; the reason of the signal.
 */
export async function runToolLoop(
  tokenizer: Tokenizer,
  request: LoopRequest,
  hooks: LoopHooks,
  progress: TurnProgress,
): Promise<FinishReason> {
  const current = [...request.prompt.current];
  for (const [index, round] of request.resumed.entries()) {
    await resumeRound(tokenizer, request, hooks, progress, current, round, index);
  }
  for (let index = request.resumed.length; ; index += 1) {
    const mustAnswer = index >= limits.chat.toolRounds;
    const prompt = await fitted(tokenizer, request, current);
    const promptTokens = prompt.tokens + request.toolTokens;
    await hooks.reserve(index, promptTokens);
    const completed = await complete(tokenizer, request, hooks, progress, prompt, index, mustAnswer);
    if (completed.calls.length === 0 || mustAnswer)
      return mustAnswer && completed.calls.length > 0 ? 'length' : completed.finishReason;
    const run = toolRun(request, hooks, index);
    const planned = planCalls(run, completed.calls);
    const round = { text: completed.text, usage: completed.usage, calls: toRoundCalls(planned) };
    progress.toolCalls.push(...invokedCalls(planned));
    progress.rounds.push(round);
    await finishRound(tokenizer, hooks, progress, current, run, index, false);
  }
}

async function complete(
  tokenizer: Tokenizer,
  request: LoopRequest,
  hooks: LoopHooks,
  progress: TurnProgress,
  prompt: FittedPrompt<ModelMessage>,
  index: number,
  mustAnswer: boolean,
): Promise<CompletedRound> {
  let isFirst = true;
  return completeRound(tokenizer, {
    model: request.model,
    promptTokens: prompt.tokens + request.toolTokens,
    timeoutMs: request.timeLimits.roundMs,
    completion: {
      messages: prompt.messages,
      tools: request.tools,
      toolChoice: mustAnswer ? 'none' : 'auto',
      completionTokens: request.model.completionTokens,
      isFollowed: request.isFollowed,
      signal: request.signal,
    },
    onText(text) {
      const content = isFirst ? separator(progress.content) + text : text;
      isFirst = false;
      progress.content += content;
      return hooks.emit({ type: 'content', content });
    },
    onUsage(usage, isReported) {
      progress.addUsage(usage, isReported);
      hooks.countTokens?.(request.model.id, usage);
      hooks.charge(index, usage.totalTokens);
    },
  });
}

/** Between the texts of two rounds, which are two paragraphs. */
function separator(before: string): string {
  return before === '' || before.endsWith('\n') ? '' : '\n\n';
}

function toolRun(request: LoopRequest, hooks: LoopHooks, index: number): ToolRun {
  const { tools, principal, signal, timeLimits, turnId } = request;
  const { emit, report } = hooks;
  const timeoutMs = timeLimits.toolMs;
  return { tools, principal, roundId: `${turnId}:${index}`, signal, timeoutMs, emit, report };
}

/** Runs what is still to run of the last round in `progress`, and adds the round to what the model reads. */
async function finishRound(
  tokenizer: Tokenizer,
  hooks: LoopHooks,
  progress: TurnProgress,
  current: Counted<ModelMessage>[],
  run: ToolRun,
  index: number,
  isResumed: boolean,
): Promise<void> {
  const round = progress.rounds[index];
  if (round === undefined) return;
  const calls = [...round.calls];
  const planned = planCalls(run, calls);
  const hasWrites = calls.some(({ writes }) => writes);
  const keep = () => {
    progress.rounds[index] = { ...round, calls: [...calls] };
    return hooks.journal(progress.rounds);
  };
  await hooks.journal(progress.rounds);
  const onResult = async (callIndex: number, result: string) => {
    const call = calls[callIndex];
    if (call !== undefined) calls[callIndex] = { ...call, result };
    if (hasWrites) await keep();
  };
  await runCalls(run, planned, calls, onResult, isResumed);
  if (!hasWrites) await keep();
  const toolCalls = calls.map(({ id, name, arguments: args }) => ({ id, name, arguments: args }));
  current.push(await counted(tokenizer, { role: 'assistant', content: round.text, toolCalls }));
  for (const { id, result } of calls) {
    current.push(await counted(tokenizer, { role: 'tool', toolCallId: id, content: result ?? '' }));
  }
}

async function resumeRound(
  tokenizer: Tokenizer,
  request: LoopRequest,
  hooks: LoopHooks,
  progress: TurnProgress,
  current: Counted<ModelMessage>[],
  round: TurnRound,
  index: number,
): Promise<void> {
  const run = toolRun(request, hooks, index);
  progress.content += round.text === '' ? '' : separator(progress.content) + round.text;
  progress.toolCalls.push(...invokedCalls(planCalls(run, round.calls)));
  if (round.usage !== null) progress.addUsage(round.usage, true);
  await finishRound(tokenizer, hooks, progress, current, run, index, true);
}

async function counted(tokenizer: Tokenizer, message: ModelMessage): Promise<Counted<ModelMessage>> {
  let tokens = messageOverheadTokens + (await tokenizer.count(message.content));
  if (message.role === 'assistant') {
    for (const call of message.toolCalls ?? []) tokens += await tokenizer.count(call.name + call.arguments);
  }
  return { message, tokens };
}

/** Shortens tool results, the longest first, when even without any history the prompt would not fit. */
async function fitted(
  tokenizer: Tokenizer,
  request: LoopRequest,
  current: Counted<ModelMessage>[],
): Promise<FittedPrompt<ModelMessage>> {
  const tokensMax = promptTokensMax(request.model, request.toolTokens);
  for (;;) {
    const prompt = fitPrompt({ ...request.prompt, current }, tokensMax);
    if (prompt !== undefined) return prompt;
    const longest = longestResult(current);
    const found = current[longest];
    if (
      found === undefined ||
      found.message.role !== 'tool' ||
      found.message.content.length < shortestResultChars
    ) {
      throw new ServiceError('invalid_request', {
        detail: `The input is longer than the model's context: at most ${tokensMax} tokens.`,
      });
    }
    const over = tokensOf(current) + tokensOf(request.prompt.system) - tokensMax;
    const share = Math.max(0.1, Math.min(0.9, 1 - (over * 1.1) / found.tokens));
    const { content } = found.message;
    const message = { ...found.message, content: shortened(content, Math.floor(content.length * share)) };
    current[longest] = await counted(tokenizer, message);
  }
}

const shortestResultChars = 400;

function longestResult(current: readonly Counted<ModelMessage>[]): number {
  let longest = -1;
  for (const [index, { message, tokens }] of current.entries()) {
    if (message.role === 'tool' && tokens > (current[longest]?.tokens ?? 0)) longest = index;
  }
  return longest;
}
