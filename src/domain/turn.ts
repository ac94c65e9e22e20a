import type { ChatAnswer, TokenUsage } from './chat.ts';
import type { Conversation, StoredMessage } from './conversation.ts';
import type { UsageAccount } from './usage-window.ts';

/**
 * The record of one turn: what is needed to finish, replay or clean up after it when its process dies.
 *
 * running → committed is its one commit: messages, answer and bill become true together. What follows from it (ledger,
 * usage windows, conversation) is applied by id, any number of times with the same effect, until `applied`.
 */
export interface Turn {
  readonly id: string;
  readonly kind: 'chat' | 'query' | 'agent';
  readonly organizationId: string;
  /** Whose budget pays: an API key's id, or another account of the ledger. */
  readonly accountId: string;
  /** Null: nothing is kept as a conversation, or it is not known yet. */
  readonly conversation: Conversation | null;
  readonly claim: TurnClaim | null;
  readonly status: 'running' | 'committed';
  /** Counts the runners; only the last one may write. */
  readonly fence: number;
  readonly leaseEndsAtMs: number;
  readonly holds: readonly UsageHold[];
  /** The bill. Each charge settles its own reservation. */
  readonly charges: readonly Charge[];
  /** Rounds in which tools were called, as far as they came. Empty once committed. */
  readonly rounds: readonly TurnRound[];
  /** Present once committed, when there is a conversation. */
  readonly entry: ConversationEntry | null;
  /** What a repeat of a claimed turn gets; null when it cannot be repeated. */
  readonly answer: ChatAnswer | null;
  /** Whether everything that follows from the commit has been done. */
  readonly applied: boolean;
  readonly createdAtMs: number;
  readonly committedAtMs: number | null;
}

/** An idempotency key that the turn holds. */
export interface TurnClaim {
  readonly name: string;
  readonly fingerprint: string;
  /** When the record of it may go. */
  readonly expiresAtMs: number;
}

/** Tokens of one round, into the budget cycle in which they were reserved. */
export interface Charge {
  /** Of the runner that made it. */
  readonly fence: number;
  readonly reservationId: string;
  readonly cycleStartMs: number;
  readonly tokens: number;
}

/** A place in a usage window. */
export interface UsageHold {
  readonly id: string;
  /** Of the runner that made it. */
  readonly fence: number;
  readonly account: UsageAccount;
}

export interface TurnRound {
  readonly text: string;
  readonly usage: TokenUsage | null;
  readonly calls: readonly RoundCall[];
}

export interface RoundCall {
  /** The model's id of the call. */
  readonly id: string;
  readonly name: string;
  /** JSON, as the model wrote it. */
  readonly arguments: string;
  /** Whether it may have changed something outside, so that it is never run twice. */
  readonly writes: boolean;
  /** What the model was told; null while unknown. */
  readonly result: string | null;
}

/** The messages of a turn at their place in the conversation. */
export interface ConversationEntry {
  /** Number of the turn in its conversation, from 1; unique there. */
  readonly position: number;
  readonly messages: readonly StoredMessage[];
}

/** Returns what a hold comes to once its runner's charges are known: one request, or their tokens. */
export function holdAmount(charges: readonly Charge[], hold: UsageHold): number {
  if (hold.account.unit === 'requests') return 1;
  return charges.reduce((sum, { fence, tokens }) => (fence === hold.fence ? sum + tokens : sum), 0);
}
