import type { TokenUsage, ToolCall, TurnEvent } from '../../domain/chat.ts';
import { addUsage, noTokens } from '../../domain/token-usage.ts';
import type { TurnRound } from '../../domain/turn.ts';

/** Takes an event; a promise means that the reader is behind, and resolves when it has caught up. */
export type EmitTurnEvent = (event: TurnEvent) => Promise<void> | undefined;

/** What a turn has produced so far, readable at any time, also after a failure. */
export class TurnProgress {
  content = '';
  readonly toolCalls: ToolCall[] = [];
  /** Rounds that called tools, those of former runners first. */
  readonly rounds: TurnRound[];
  #usage: TokenUsage = noTokens;
  #isReported = false;

  /** @param resumed rounds that former runners of the turn left behind: whatever fails now, they stay on record. */
  constructor(resumed: readonly TurnRound[]) {
    this.rounds = [...resumed];
  }

  /** What the model server reported, with counted rounds where it reported none; null when it never did. */
  get usage(): TokenUsage | null {
    return this.#isReported ? this.#usage : null;
  }

  addUsage(usage: TokenUsage, isReported: boolean): void {
    this.#usage = addUsage(this.#usage, usage);
    this.#isReported ||= isReported;
  }
}
