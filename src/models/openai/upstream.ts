/** A server of the OpenAI chat-completions form, as configured. */
export interface Upstream {
  /** For log lines. */
  readonly name: string;
  /** With its version path: `https://api.openai.com/v1`. */
  readonly baseUrl: string;
  /** Null: none is sent. */
  readonly apiKey: string | null;
  /** Sent with every request. */
  readonly headers: Readonly<Record<string, string>>;
  /** Null: every model that the server has. */
  readonly models: readonly UpstreamModel[] | null;
  /** How often a request is sent again that failed before the first token. */
  readonly retries: number;
  /** From the request to the first byte of the answer. */
  readonly firstByteTimeoutMs: number;
  /** Between two bytes of the answer. */
  readonly idleTimeoutMs: number;
}

export interface UpstreamModel {
  /** The id that callers use. */
  readonly id: string;
  /** The server's own name of it. */
  readonly upstreamId: string;
  /** Prompt and completion together. */
  readonly contextTokens: number;
  readonly completionTokens: number;
  /** Name of the parameter that caps a completion. */
  readonly completionParameter: 'max_completion_tokens' | 'max_tokens';
  readonly supportsTools: boolean;
  /** Whether the server is asked to report usage in streams (`stream_options`). */
  readonly streamsUsage: boolean;
}

export const upstreamDefaults = {
  retries: 2,
  firstByteTimeoutMs: 120_000,
  idleTimeoutMs: 60_000,
  contextTokens: 128_000,
  completionParameter: 'max_tokens',
} as const;
