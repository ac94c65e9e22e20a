import type { JsonObject, TokenUsage } from '../domain/chat.ts';

/**
 * Language models.
 *
 * Invariants:
 * - `complete` starts when it is iterated, and reads no further than its consumer.
 * - Nothing is repeated once a text or tool-call delta was given; before that, an adapter may try again.
 * - Exactly one `finish` ends a complete reply; a reply without one fails. `usage` comes at most once.
 * - Aborting `signal`, or leaving the iteration, ends the connection to the model server.
 * - Failures are `ModelFailure`; an abort throws the signal's reason.
 */
export interface ChatModel {
  readonly id: string;
  /** Tokens of prompt and completion together. */
  readonly contextTokens: number;
  /** Most tokens of one completion. */
  readonly completionTokens: number;
  readonly supportsTools: boolean;
  complete(request: CompletionRequest): AsyncIterable<CompletionDelta>;
}

export interface CompletionRequest {
  readonly messages: readonly ModelMessage[];
  readonly tools: readonly ToolDeclaration[];
  /** `none`: tools are declared, but the model must answer in text. */
  readonly toolChoice: 'auto' | 'none';
  readonly completionTokens: number;
  /** Whether somebody follows the reply as it comes; else it may come in larger pieces, which costs less. */
  readonly isFollowed: boolean;
  readonly signal: AbortSignal;
}

export type ModelMessage =
  | { readonly role: 'system' | 'user'; readonly content: string }
  | {
      readonly role: 'assistant';
      readonly content: string;
      readonly toolCalls?: readonly ModelToolCall[];
    }
  | { readonly role: 'tool'; readonly toolCallId: string; readonly content: string };

export interface ModelToolCall {
  readonly id: string;
  readonly name: string;
  /** JSON, as the model wrote it; not necessarily valid. */
  readonly arguments: string;
}

export interface ToolDeclaration {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of an object. */
  readonly parameters: JsonObject;
}

export type CompletionDelta =
  | { readonly type: 'text'; readonly text: string }
  | {
      /** A fragment of the call at `index` of this reply: fields of several fragments are appended. */
      readonly type: 'tool_call';
      readonly index: number;
      readonly id?: string;
      readonly name?: string;
      readonly arguments?: string;
    }
  | { readonly type: 'usage'; readonly usage: TokenUsage }
  | { readonly type: 'finish'; readonly reason: 'stop' | 'length' | 'tool_calls' };

/** The model server did not do its part. The message is for the log: it may quote the server. */
export class ModelFailure extends Error {
  /** `rejected`: the same request would fail again; the other kinds may pass with time. */
  readonly kind: 'unavailable' | 'rejected' | 'broken' | 'timeout';

  constructor(kind: ModelFailure['kind'], message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'ModelFailure';
    this.kind = kind;
  }
}

/** The configured models. */
export interface ModelCatalog {
  /**
   * The ids of every model, in the configured order.
   *
   * @throws ModelFailure when they are the model server's to tell and it does not.
   */
  list(): Promise<readonly string[]>;
  /** Returns undefined when no upstream serves the model. */
  find(id: string): ChatModel | undefined;
  close(): Promise<void>;
}
