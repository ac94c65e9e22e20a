import type { ChatAnswer } from '../domain/chat.ts';
import type { Conversation } from '../domain/conversation.ts';
import type { Charge, ConversationEntry, Turn, TurnRound, UsageHold } from '../domain/turn.ts';

/**
 * The records of turns.
 *
 * Invariants:
 * - One turn at a time holds a claim name; of any number of callers that claim it at once, one gets it.
 * - Only the runner with the record's `fence` can journal, renew, commit or abandon it, and only while it is running.
 * - `commit` is one conditional change of one document: answer, messages and charges appear together or not at all.
 * - Two committed turns of one conversation never have the same position.
 * - A turn that is renewed or committed is unfinished, even when a sweep that came late has noted it as applied.
 */
export interface TurnStore {
  /**
   * Creates a running turn. When its claim name is taken, nothing is created and the turn that holds it is returned.
   */
  begin(turn: Turn): Promise<Turn | undefined>;
  get(id: string): Promise<Turn | undefined>;
  /**
   * Makes the caller the runner of a running turn whose lease ended: fence + 1, a new lease, its holds added to the
   * record's. Undefined when somebody else was faster.
   */
  takeOver(id: string, fence: number, lease: TakeOver): Promise<Turn | undefined>;
  renew(id: string, fence: number, leaseEndsAtMs: number): Promise<boolean>;
  /** Replaces rounds and charges. False when the caller is not the runner any more. */
  journal(id: string, fence: number, journal: TurnJournal): Promise<boolean>;
  commit(id: string, fence: number, result: TurnCommit): Promise<CommitResult>;
  /** Ends the lease now and keeps the record, so that a repeat goes on from the journal. */
  release(id: string, fence: number, nowMs: number): Promise<void>;
  /** Removes a running turn, its claim with it. */
  abandon(id: string, fence: number): Promise<void>;
  /** Notes that everything that follows from these commits is done. A turn without claim and entry may be removed. */
  markApplied(ids: readonly string[]): Promise<void>;
  /** Gives a committed turn's claim back and forgets its answer; removes the record when it has no entry. */
  forgetClaim(id: string): Promise<void>;
  /** Entries of a conversation, the last first, `before` a position when given. */
  entries(conversationId: string, page: EntryPage): Promise<readonly ConversationEntry[]>;
  /** Turns that need attention, of each kind at most `limit`, the oldest first. */
  listUnfinished(query: UnfinishedQuery): Promise<readonly Turn[]>;
}

export interface TakeOver {
  readonly nowMs: number;
  readonly leaseEndsAtMs: number;
  readonly holds: readonly UsageHold[];
}

export interface TurnJournal {
  readonly rounds: readonly TurnRound[];
  readonly charges: readonly Charge[];
}

export interface TurnCommit {
  readonly conversation: Conversation | null;
  readonly charges: readonly Charge[];
  readonly entry: ConversationEntry | null;
  readonly answer: ChatAnswer | null;
  readonly committedAtMs: number;
  /** Of the claim, when there is one. */
  readonly claimExpiresAtMs: number | null;
}

/** `superseded`: the caller is not the runner any more; `position_taken`: another turn has the entry's position. */
export type CommitResult = 'committed' | 'superseded' | 'position_taken';

export interface EntryPage {
  readonly limit: number;
  readonly beforePosition?: number;
}

export interface UnfinishedQuery {
  readonly state: 'unapplied' | 'dead' | 'expired';
  /** Committed, its lease ended, or its claim expired before this time. */
  readonly beforeMs: number;
  readonly limit: number;
}
