import type { ChatInput, TurnPrincipal } from '../../domain/chat.ts';
import type { Turn } from '../../domain/turn.ts';

/** A turn to be run, whoever asks for it. */
export interface TurnRequest {
  readonly kind: Turn['kind'];
  readonly principal: TurnPrincipal;
  readonly input: ChatInput;
  /** Whether the turn is kept as part of a conversation. */
  readonly isKept: boolean;
  /** Whether the caller follows the events, so that what a failed turn said is kept. */
  readonly isStreamed: boolean;
  readonly idempotencyKey?: string;
  /** In place of the mode's. */
  readonly systemPrompt?: string;
}
