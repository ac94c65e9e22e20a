import { setTimeout as sleep } from 'node:timers/promises';
import OpenAI from 'openai';
import {
  type ChatModel,
  type CompletionDelta,
  type CompletionRequest,
  ModelFailure,
  type ModelMessage,
} from '../../ports/model.ts';
import { excerpt, parseChunk } from './completion-chunk.ts';
import { createReplyReader } from './reply-reader.ts';
import { isTransientStatus, type RetryRules, retryDelayMs } from './retry.ts';
import type { UpstreamModel } from './upstream.ts';
import type { Enough, UpstreamBody } from './upstream-body.ts';
import type { UpstreamResponse } from './upstream-fetch.ts';

export interface OpenAiModelOptions {
  readonly client: OpenAI;
  readonly model: UpstreamModel;
  readonly retries: number;
  readonly retryRules: RetryRules;
  /** 0 to 1, for jitter. */
  readonly random: () => number;
}

/** A failure that says whether sending the request again may help, and when. */
class AttemptFailure extends Error {
  readonly failure: ModelFailure;
  readonly isTransient: boolean;
  readonly retryAfter: string | null;

  constructor(failure: ModelFailure, isTransient: boolean, retryAfter: string | null = null) {
    super(failure.message, { cause: failure });
    this.failure = failure;
    this.isTransient = isTransient;
    this.retryAfter = retryAfter;
  }
}

/** Returns a model of a chat-completions server. */
export function createOpenAiModel(options: OpenAiModelOptions): ChatModel {
  const { id, contextTokens, completionTokens, supportsTools } = options.model;
  return {
    id,
    contextTokens,
    completionTokens,
    supportsTools,
    complete: (request) => completeWithRetries(options, request),
  };
}

async function* completeWithRetries(
  options: OpenAiModelOptions,
  request: CompletionRequest,
): AsyncGenerator<CompletionDelta> {
  for (let attempt = 1; ; attempt += 1) {
    const reading = createReplyReader(request.isFollowed);
    let hasGiven = false;
    let body: UpstreamBody | undefined;
    try {
      const response = await send(options, request);
      body = response.body;
      if (response.headers.get('content-type')?.includes('json')) {
        yield* parseChunk(await readWhole(body));
        return;
      }
      for (;;) {
        const text = await body.read(request.isFollowed ? undefined : unfollowed);
        if (text === undefined) break;
        for (const delta of reading.push(text)) {
          hasGiven = true;
          yield delta;
        }
        if (reading.failure !== undefined) throw reading.failure;
        if (reading.isDone) break;
      }
      yield* reading.end();
      return;
    } catch (error) {
      if (request.signal.aborted) throw request.signal.reason;
      if (reading.hasFinished) return yield* reading.end();
      const failed = toAttemptFailure(error, hasGiven);
      const delayMs = hasGiven ? undefined : delayBeforeNext(options, failed, attempt);
      if (delayMs === undefined) {
        yield* reading.reported();
        throw failed.failure;
      }
      await sleep(delayMs, undefined, { signal: request.signal }).catch(() => {
        throw request.signal.reason;
      });
    } finally {
      // A connection whose answer is read to its end serves the next request.
      body?.leave(reading.isDone ? endTimeoutMs : 0);
    }
  }
}

async function send(
  { client, model }: OpenAiModelOptions,
  request: CompletionRequest,
): Promise<UpstreamResponse> {
  const response = await client.chat.completions
    .create(toBody(model, request), { signal: request.signal, maxRetries: 0 })
    .asResponse();
  // The client hands over what the fetch that it was given has returned.
  return response as unknown as UpstreamResponse;
}

function delayBeforeNext(
  { retries, retryRules, random }: OpenAiModelOptions,
  failed: AttemptFailure,
  attempt: number,
): number | undefined {
  if (!failed.isTransient || attempt > retries) return undefined;
  return retryDelayMs(retryRules, attempt, failed.retryAfter, random());
}

/** How long a server may take to end a stream after it has said that it is done, milliseconds. */
const endTimeoutMs = 2_000;

/** Of a stream that nobody follows, what is read at once: about 20 events, or all that is left. */
const unfollowed: Enough = { chars: 4_096, lastWords: '[DONE]' };

const wholeCharsMax = 16 * 1_048_576;

async function readWhole(body: UpstreamBody): Promise<string> {
  let whole = '';
  for (let text = await body.read(); text !== undefined; text = await body.read()) {
    whole += text;
    if (whole.length > wholeCharsMax) throw new ModelFailure('broken', 'the reply is too long');
  }
  return whole;
}

function toBody(
  model: UpstreamModel,
  { messages, tools, toolChoice, completionTokens }: CompletionRequest,
): OpenAI.Chat.Completions.ChatCompletionCreateParamsStreaming {
  return {
    model: model.upstreamId,
    messages: messages.map(toMessage),
    [model.completionParameter]: completionTokens,
    stream: true,
    ...(model.streamsUsage ? { stream_options: { include_usage: true } } : {}),
    ...(tools.length === 0
      ? {}
      : {
          tools: tools.map(({ name, description, parameters }) => ({
            type: 'function' as const,
            function: { name, description, parameters: parameters as Record<string, unknown> },
          })),
          tool_choice: toolChoice,
        }),
  };
}

function toMessage(message: ModelMessage): OpenAI.Chat.Completions.ChatCompletionMessageParam {
  if (message.role === 'tool') {
    return { role: 'tool', tool_call_id: message.toolCallId, content: message.content };
  }
  if (message.role !== 'assistant' || message.toolCalls === undefined) {
    return { role: message.role, content: message.content };
  }
  return {
    role: 'assistant',
    content: message.content === '' ? null : message.content,
    tool_calls: message.toolCalls.map(({ id, name, arguments: args }) => ({
      id,
      type: 'function' as const,
      function: { name, arguments: args },
    })),
  };
}

function toAttemptFailure(error: unknown, hasGiven: boolean): AttemptFailure {
  if (error instanceof ModelFailure) return new AttemptFailure(error, error.kind === 'broken');
  if (error instanceof OpenAI.APIError && typeof error.status === 'number') {
    const isTransient = isTransientStatus(error.status);
    const message = `the model server answered ${error.status}: ${excerpt(error.message)}`;
    const failure = new ModelFailure(isTransient ? 'unavailable' : 'rejected', message, error);
    return new AttemptFailure(failure, isTransient, error.headers?.get('retry-after') ?? null);
  }
  const code = errorCode(error);
  if (code === 'UND_ERR_HEADERS_TIMEOUT' || code === 'UND_ERR_BODY_TIMEOUT') {
    return new AttemptFailure(
      new ModelFailure('timeout', 'the model server did not answer in time', error),
      false,
    );
  }
  const failure = hasGiven
    ? new ModelFailure('broken', `the connection to the model server broke: ${code}`, error)
    : new ModelFailure('unavailable', `the model server cannot be reached: ${code}`, error);
  return new AttemptFailure(failure, true);
}

/** The code of the innermost cause that has one: the package wraps what the connection reports. */
function errorCode(error: unknown): string {
  let code = 'unknown';
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if ('code' in cause && typeof cause.code === 'string') code = cause.code;
  }
  return code;
}
