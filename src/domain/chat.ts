import type { ApiKey } from './api-key.ts';
import type { ChatMode, Organization, User } from './organization.ts';

/** What SQL may do: `auto` is what the scopes allow. */
export type ChatPermission = 'auto' | 'read' | 'write';

export type ChatRole = 'user' | 'assistant' | 'system';

export interface ChatMessage {
  readonly role: ChatRole;
  readonly content: string;
}

/** What a caller asks for. */
export interface ChatInput {
  /** In order; system messages steer this turn only. */
  readonly messages: readonly ChatMessage[];
  readonly model?: string;
  readonly mode: ChatMode;
  readonly permission: ChatPermission;
  /** UUID in lower case. */
  readonly conversationId?: string;
}

/** `length`: the model was cut at its limit. */
export type FinishReason = 'stop' | 'length';

export interface TokenUsage {
  readonly promptTokens: number;
  readonly completionTokens: number;
  readonly totalTokens: number;
}

export type JsonValue = string | number | boolean | null | readonly JsonValue[] | JsonObject;
export type JsonObject = { readonly [name: string]: JsonValue };

/** A tool that the model invoked. */
export interface ToolCall {
  readonly name: string;
  readonly args: JsonObject;
}

/** A complete reply. */
export interface ChatAnswer {
  readonly id: string;
  /** Null: no conversation is kept. */
  readonly conversationId: string | null;
  readonly model: string;
  readonly content: string;
  readonly toolCalls: readonly ToolCall[];
  readonly finishReason: FinishReason;
  /** Summed over the rounds; null when the model server reported none. */
  readonly usage: TokenUsage | null;
  readonly createdAtMs: number;
}

/** On whose behalf and on whose bill a turn runs. A Principal is one; an agent's run makes its own. */
export interface TurnPrincipal {
  readonly apiKey: Pick<ApiKey, 'id' | 'scopes' | 'models' | 'tokenBudget'>;
  readonly actor: User;
  readonly organization: Organization;
}

/** What happens in a turn, in order: meta first, then any of the others, done last. */
export type TurnEvent =
  | { readonly type: 'meta'; readonly conversationId: string; readonly model: string }
  | { readonly type: 'content'; readonly content: string }
  | { readonly type: 'tool_call_start'; readonly name: string; readonly args: JsonObject }
  | {
      readonly type: 'step';
      readonly status: 'running' | 'completed' | 'failed';
      /** For a person. */
      readonly label: string;
      readonly tool: string;
    }
  | {
      readonly type: 'done';
      readonly conversationId: string;
      readonly model: string;
      readonly finishReason: FinishReason;
    };
