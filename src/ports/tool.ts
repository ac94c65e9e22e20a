import type { ChatPermission, JsonObject, TurnPrincipal } from '../domain/chat.ts';

/**
 * What a model may call.
 *
 * Invariants:
 * - A tool that is not provided for a turn is not named to the model, and a call of it is refused.
 * - `run` gets arguments that fit `parameters`. It stops, and lets go of what it holds, when `signal` aborts.
 * - What `run` returns is data for the model. What it throws as `ToolFailure` is told to the model; the message of
 *   anything else goes to the log only.
 * - A call for which `writes` is true is journalled before it runs and never run twice for one turn.
 */
export interface Tool {
  readonly name: string;
  readonly description: string;
  /** JSON Schema (draft 2020-12) of an object; of its keywords those that `domain/tool-arguments` checks. */
  readonly parameters: JsonObject;
  /** Whether a call with these arguments may change something outside. Absent: never. */
  writes?(args: JsonObject): boolean;
  /** What it does, in a few words for a person. Default: its name. */
  label?(args: JsonObject): string;
  run(args: JsonObject, context: ToolContext): Promise<string>;
}

export interface ToolContext {
  readonly principal: TurnPrincipal;
  /** Unique for the call, the same when a recovered turn repeats it. */
  readonly callId: string;
  readonly signal: AbortSignal;
}

/** A failure that the model can act on. */
export class ToolFailure extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'ToolFailure';
  }
}

export interface ToolProvider {
  /**
   * Returns the tools that the principal may use in this turn.
   *
   * @throws `extension_config_error` when they cannot be set up.
   */
  toolsFor(request: ToolRequest): Promise<readonly Tool[]>;
}

export interface ToolRequest {
  readonly principal: TurnPrincipal;
  /** Caps what SQL may do, and nothing else. */
  readonly sqlPermission: ChatPermission;
  /** Whether only tools that change nothing may be offered, whatever they work on. */
  readonly readOnlyTools: boolean;
  readonly signal: AbortSignal;
}
