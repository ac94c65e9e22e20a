import type { ChatInput, TurnEvent, TurnPrincipal } from '../../domain/chat.ts';
import { type ErrorSlug, errorCatalogue, ServiceError, toServiceError } from '../../domain/errors.ts';
import { limits } from '../../domain/limits.ts';
import { createAppliedNotes } from './applied-notes.ts';
import { createConversationLocks } from './conversation-lock.ts';
import { effectiveModels } from './effective-models.ts';
import { createEventChannel } from './event-channel.ts';
import { createLeaseKeeper } from './lease-keeper.ts';
import { type Recovered, recoverTurns } from './recover-turns.ts';
import { runTurn, type TurnResult } from './run-turn.ts';
import type { TurnContext, TurnDependencies } from './turn-dependencies.ts';
import type { EmitTurnEvent } from './turn-progress.ts';
import type { TurnRequest } from './turn-request.ts';

export interface ChatCall {
  readonly principal: TurnPrincipal;
  readonly input: ChatInput;
  /** Aborts when the caller has left. */
  readonly signal: AbortSignal;
}

/** The last event of a failed reply. */
export interface FailureEvent {
  readonly type: 'error';
  /** The failure's title; generic for failures of the service. */
  readonly error: string;
  readonly code: ErrorSlug;
}

export type ChatEvent = TurnEvent | FailureEvent;

/** Conversations with language models, on somebody's bill. */
export interface Chat {
  /**
   * Runs a turn and returns its reply. A caller that leaves ends it: what was produced is kept and billed, and its
   * idempotency key is free, since only whole answers are repeated. A keyed turn in which a tool has changed something is
   * billed only, and a repeat goes on with it.
   *
   * @throws what `runTurn` throws.
   */
  reply(call: ChatCall & { readonly idempotencyKey?: string }): Promise<TurnResult>;
  /**
   * Runs a turn and hands over its events as they come: meta first, done or error last. A turn that fails before meta
   * throws. Leaving the iteration, or the signal, ends the turn.
   *
   * @throws what `runTurn` throws, before the first event only.
   */
  stream(call: ChatCall): AsyncGenerator<ChatEvent>;
  /** Answers one question; nothing is kept of it. */
  query(call: ChatCall): Promise<TurnResult>;
  /** Runs any turn: for callers that are no caller of the API, such as agents. */
  run(request: TurnRequest, emit: EmitTurnEvent, signal: AbortSignal): Promise<TurnResult>;
  /** The models that a caller may use now, its default first. @throws `policy_lookup_failed` */
  effectiveModels(principal: TurnPrincipal): Promise<readonly string[]>;
  /** Finishes what dead processes left behind. Called at the start and every minute or so. */
  recover(graceMs?: number): Promise<Recovered>;
  /** Waits for running turns, aborts those that are not done after `deadlineMs`, and resolves when all have ended. */
  close(deadlineMs: number): Promise<void>;
}

export interface ChatOptions {
  /** How long a turn waits for the one before it in its conversation. */
  readonly turnWaitMs?: number;
  readonly roundTimeoutMs?: number;
  readonly toolTimeoutMs?: number;
  readonly leaseRenewalMs?: number;
}

const channelCapacity = 64;
const nobody: EmitTurnEvent = () => undefined;

export function createChat(deps: TurnDependencies, options: ChatOptions = {}): Chat {
  const context: TurnContext = {
    ...deps,
    locks: createConversationLocks({
      conversations: deps.store.conversations,
      clock: deps.clock,
      waitMs: options.turnWaitMs ?? limits.chat.turnWaitMs,
    }),
    leases: createLeaseKeeper({ intervalMs: options.leaseRenewalMs ?? 5_000, report: deps.report }),
    timeLimits: {
      roundMs: options.roundTimeoutMs ?? limits.chat.roundTimeoutMs,
      toolMs: options.toolTimeoutMs ?? limits.chat.toolTimeoutMs,
    },
    appliedNotes: createAppliedNotes({ turns: deps.store.turns, delayMs: 500, report: deps.report }),
  };
  const running = new Map<AbortController, Promise<unknown>>();
  let isClosing = false;

  /** Runs a turn that ends with `signal`, if given, and at the latest with the service. */
  function start(request: TurnRequest, emit: EmitTurnEvent, signal?: AbortSignal): Promise<TurnResult> {
    const controller = new AbortController();
    if (isClosing) return Promise.reject(closing());
    const abort = () => controller.abort(signal?.reason);
    if (signal?.aborted) abort();
    signal?.addEventListener('abort', abort, { once: true });
    const turn = runTurn(context, request, {
      emit,
      signal: controller.signal,
      abort: (reason) => controller.abort(reason),
    }).finally(() => {
      signal?.removeEventListener('abort', abort);
      running.delete(controller);
    });
    running.set(controller, turn);
    return turn;
  }

  return {
    reply({ principal, input, signal, idempotencyKey }) {
      const request = { kind: 'chat', principal, input, isKept: true, isStreamed: false } as const;
      return start(idempotencyKey === undefined ? request : { ...request, idempotencyKey }, nobody, signal);
    },

    async *stream({ principal, input, signal }) {
      const channel = createEventChannel<ChatEvent>(channelCapacity);
      const left = new AbortController();
      const abort = () => left.abort(signal.reason);
      if (signal.aborted) abort();
      signal.addEventListener('abort', abort, { once: true });
      let hasMeta = false;
      const emit: EmitTurnEvent = (event) => {
        hasMeta ||= event.type === 'meta';
        return channel.push(event);
      };
      start({ kind: 'chat', principal, input, isKept: true, isStreamed: true }, emit, left.signal).then(
        () => channel.end(),
        (error: unknown) => {
          if (!hasMeta || left.signal.aborted) return channel.end(error);
          deps.report('a streamed turn failed', error);
          void channel.push(toFailureEvent(error));
          channel.end();
        },
      );
      try {
        yield* channel;
      } finally {
        signal.removeEventListener('abort', abort);
        channel.leave();
        left.abort(new Error('the reader has left'));
      }
    },

    query({ principal, input, signal }) {
      const request = { kind: 'query', principal, input, isKept: false, isStreamed: false } as const;
      return start(request, nobody, signal);
    },

    run: start,
    effectiveModels: (principal) => effectiveModels(deps.models, principal),
    recover: (graceMs) => recoverTurns(deps, graceMs),

    async close(deadlineMs) {
      isClosing = true;
      const deadline = setTimeout(() => {
        for (const controller of running.keys()) controller.abort(closing());
      }, deadlineMs);
      await Promise.allSettled(running.values());
      clearTimeout(deadline);
      await context.appliedNotes.flush();
    },
  };
}

function closing(): ServiceError {
  return new ServiceError('internal_error', { cause: 'the service is closing' });
}

function toFailureEvent(error: unknown): FailureEvent {
  const { slug, title } = toServiceError(error);
  return {
    type: 'error',
    code: slug,
    error: errorCatalogue[slug].status >= 500 ? errorCatalogue[slug].title : title,
  };
}
