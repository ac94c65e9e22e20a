import type { ChatAnswer } from '../../domain/chat.ts';
import { ServiceError, toServiceError } from '../../domain/errors.ts';
import type { ChatMode } from '../../domain/organization.ts';
import { systemPrompt } from '../../domain/system-prompt.ts';
import type { Turn } from '../../domain/turn.ts';
import type { ChatModel } from '../../ports/model.ts';
import type { Tool } from '../../ports/tool.ts';
import { lockToken } from './apply-turn.ts';
import { createBill } from './bill.ts';
import { claimTurn } from './claim-turn.ts';
import { chooseModel } from './effective-models.ts';
import { newTurn, ownerOf } from './new-turn.ts';
import { hasWritten } from './recover-turns.ts';
import { promptTokensMax, runToolLoop } from './tool-loop.ts';
import type { TurnContext } from './turn-dependencies.ts';
import { type EmitTurnEvent, TurnProgress } from './turn-progress.ts';
import {
  type CountedMessage,
  countMessages,
  countTools,
  type History,
  loadHistory,
  noHistory,
  turnPrompt,
} from './turn-prompt.ts';
import type { TurnRequest } from './turn-request.ts';
import { type NewMessage, TurnRun } from './turn-run.ts';

export interface TurnResult {
  readonly answer: ChatAnswer;
  /** Whether the answer is that of an earlier request with the same idempotency key. */
  readonly isReplay: boolean;
  /** What this call was billed: as reported, else counted; 0 for a replay. */
  readonly billedTokens: number;
}

export interface RunningTurn {
  readonly emit: EmitTurnEvent;
  /** Aborts when the caller has left or the service ends. */
  readonly signal: AbortSignal;
  /** Aborts the turn when another runner has taken over. */
  readonly abort: (reason: unknown) => void;
}

/**
 * Runs one turn: checks, reservation, model and tools, commit. `meta` is emitted once nothing but the model can fail;
 * `done` after the commit.
 *
 * @throws `model_not_allowed`, `policy_lookup_failed`, `extension_config_error`, `conversation_not_found`,
 * `request_in_progress`, `usage_limit_exceeded`, `budget_exhausted`, `budget_check_failed`, `invalid_request`,
 * `internal_error`; the signal's reason.
 */
export async function runTurn(
  context: TurnContext,
  request: TurnRequest,
  running: RunningTurn,
): Promise<TurnResult> {
  const { principal, input } = request;
  const mode = principal.organization.pinnedMode ?? input.mode;
  const model = await chooseModel(context.models, principal, input.model);
  const tools = await offeredTools(context, request, model, running.signal);
  const turn = newTurn(context, request, model, mode);
  const { claim } = turn;
  if (claim === null)
    return execute(context, request, running, { turn, model, mode, tools, hasBegun: false });
  const claimed = await claimTurn(context, { ...turn, claim }, principal);
  if (claimed.state === 'replay') return { answer: claimed.answer, isReplay: true, billedTokens: 0 };
  return execute(context, request, running, { turn: claimed.turn, model, mode, tools, hasBegun: true });
}

interface Prepared {
  readonly turn: Turn;
  readonly model: ChatModel;
  readonly mode: ChatMode;
  readonly tools: readonly Tool[];
  readonly hasBegun: boolean;
}

async function execute(
  context: TurnContext,
  request: TurnRequest,
  running: RunningTurn,
  prepared: Prepared,
): Promise<TurnResult> {
  const { turn, model, mode, tools, hasBegun } = prepared;
  const { input, principal } = request;
  const { emit, signal } = running;
  const { tokenizer, report, countTokens } = context;
  const progress = new TurnProgress(turn.rounds);
  const bill = createBill({ ...context.store, clock: context.clock }, principal, turn);
  const onLost = () => running.abort(new ServiceError('request_in_progress'));
  const run = new TurnRun(context, { turn, bill, hasBegun, onLost });
  const endCare = context.leases.keep(run);
  let isOpen = false;

  try {
    const messages = await countMessages(tokenizer, input.messages, model);
    const toolTokens = await countTools(tokenizer, tools);
    const history = await enterConversation(context, request, prepared, run, signal, toolTokens);
    const system = request.systemPrompt ?? systemPrompt(mode, tools.length > 0);
    const prompt = await turnPrompt(tokenizer, system, history.turns, messages);
    const conversationId = run.conversation?.id ?? null;

    const reserve = async (round: number, promptTokens: number) => {
      const tokens = promptTokens + model.completionTokens;
      if (isOpen) return bill.reserve(round, tokens);
      await run.open(round, tokens, request.isStreamed);
      isOpen = true;
      signal.throwIfAborted();
      run.disclose();
      await emit({ type: 'meta', conversationId: conversationId ?? '', model: model.id });
    };
    try {
      const finishReason = await runToolLoop(
        tokenizer,
        {
          turnId: turn.id,
          principal,
          model,
          prompt,
          tools,
          toolTokens,
          resumed: turn.rounds,
          // The progress of an agent's run can be watched.
          isFollowed: request.isStreamed || request.kind === 'agent',
          signal,
          timeLimits: context.timeLimits,
        },
        { emit, reserve, report, countTokens, charge: bill.charge, journal: (rounds) => run.journal(rounds) },
        progress,
      );
      const answer: ChatAnswer = {
        id: turn.id,
        conversationId,
        model: model.id,
        content: progress.content,
        toolCalls: progress.toolCalls,
        finishReason,
        usage: progress.usage,
        createdAtMs: context.clock.now(),
      };
      const added = await addedMessages(context, turn, messages, progress);
      await run.commit(added, turn.claim === null ? null : answer);
      // The turn is over whether or not its reader still reads.
      void emit({ type: 'done', conversationId: conversationId ?? '', model: model.id, finishReason });
      const billedTokens = bill.charges.reduce(
        (sum, { fence, tokens }) => (fence === turn.fence ? sum + tokens : sum),
        0,
      );
      return { answer, isReplay: false, billedTokens };
    } catch (error) {
      // A claimed turn that has changed something stays open instead, for a repeat to go on with.
      const canBeResumed = turn.claim !== null && hasWritten(progress);
      const isWorthKeeping = run.conversation !== null && !canBeResumed && progress.content !== '';
      if (!isWorthKeeping || !(request.isStreamed || signal.aborted)) throw error;
      bill.close();
      await run.commit(await addedMessages(context, turn, messages, progress), null);
      throw error;
    }
  } catch (error) {
    bill.close();
    await run.giveUp(progress.rounds).catch((cause) => report(`turn ${turn.id} not given up`, cause));
    throw toTurnFailure(error, signal);
  } finally {
    endCare();
    await run.leave().catch((cause) => report(`conversation of turn ${turn.id} not unlocked`, cause));
    if (input.conversationId !== undefined && run.conversation !== null) {
      context.locks.leave(input.conversationId, ownerOf(principal));
    }
  }
}

/** Takes the lock of the conversation that the request names, or starts a new one, and reads what was said before. */
async function enterConversation(
  context: TurnContext,
  request: TurnRequest,
  { turn, model, mode }: Prepared,
  run: TurnRun,
  signal: AbortSignal,
  toolTokens: number,
): Promise<History> {
  if (turn.conversation !== null) run.start(turn.conversation);
  const id = request.input.conversationId;
  if (!request.isKept || id === undefined) return noHistory;
  const owner = ownerOf(request.principal);
  const conversation = await context.locks.take({ id, owner, token: lockToken(turn), signal });
  run.enter({ ...conversation, model: model.id, mode });
  const history = await loadHistory(context.store.turns, id, promptTokensMax(model, toolTokens));
  run.follow(history);
  return history;
}

/** @throws `extension_config_error` */
async function offeredTools(
  context: TurnContext,
  { kind, principal, input }: TurnRequest,
  model: ChatModel,
  signal: AbortSignal,
): Promise<readonly Tool[]> {
  if (!model.supportsTools) return [];
  const { permission } = input;
  // Interface, section 4.7: of a query, `read` forces read-only tools; section 5.3: of a chat, it only caps SQL.
  const readOnlyTools = kind === 'query' && permission === 'read';
  const request = { principal, sqlPermission: permission, readOnlyTools, signal };
  try {
    const offered = await Promise.all(context.toolProviders.map((provider) => provider.toolsFor(request)));
    return offered.flat();
  } catch (cause) {
    if (signal.aborted) throw signal.reason;
    throw cause instanceof ServiceError ? cause : new ServiceError('extension_config_error', { cause });
  }
}

async function addedMessages(
  { clock, tokenizer }: TurnContext,
  { createdAtMs }: Turn,
  messages: readonly CountedMessage[],
  { content }: TurnProgress,
): Promise<readonly NewMessage[]> {
  const asked = messages.flatMap(({ message: { role, content: text }, tokens }) =>
    role === 'system' ? [] : [{ role, content: text, tokens, createdAtMs }],
  );
  const tokens = await tokenizer.count(content);
  return [...asked, { role: 'assistant', content, tokens, createdAtMs: clock.now() }];
}

/** What a model server has to say is for the log only. */
function toTurnFailure(error: unknown, signal: AbortSignal): unknown {
  if (signal.aborted) return signal.reason;
  return toServiceError(error);
}
