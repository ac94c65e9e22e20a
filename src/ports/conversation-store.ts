import type { Conversation, ConversationOwner } from '../domain/conversation.ts';

/**
 * Conversations without their messages (those are the entries of committed turns).
 *
 * Invariants:
 * - A conversation of another owner, or a deleted one, is as good as none in every operation.
 * - A conversation is listed from the first turn that was noted; `updatedAtMs` of the listed ones is unique per actor
 *   and grows with every turn.
 * - At most one holder has the lock of a conversation; a lock whose lease has ended can be taken by another, and its
 *   former holder can then neither renew nor release it.
 * - Each operation changes one document.
 */
export interface ConversationStore {
  /**
   * Creates a conversation that is not listed yet, its lock held.
   *
   * @throws StoreConflict when the id is taken.
   */
  create(conversation: Conversation, lock: ConversationLock): Promise<void>;
  /** Takes the lock. */
  lock(id: string, owner: ConversationOwner, lock: ConversationLock, nowMs: number): Promise<LockResult>;
  /** False when the lock is another's by now. */
  renew(id: string, token: string, leaseEndsAtMs: number): Promise<boolean>;
  unlock(id: string, token: string): Promise<void>;
  /** Removes a conversation that is not listed and whose lock `token` holds: as if it had never been created. */
  discard(id: string, token: string): Promise<void>;
  /**
   * Lists the conversation after a turn: creates it when it is missing, sets model and mode, and moves `updatedAtMs` to
   * the given time or to the next millisecond that is free and later than before. Nothing happens when a turn of this
   * or a later position was noted before. Releases the lock when `lockToken` holds it.
   */
  noteTurn(conversation: Conversation, turn: NotedTurn): Promise<void>;
  get(id: string, owner: ConversationOwner): Promise<Conversation | undefined>;
  /** Listed conversations, the last changed first. */
  list(owner: ConversationOwner, page: ConversationPage): Promise<readonly Conversation[]>;
  /** Hides the conversation and keeps its record. False when there was none. */
  delete(id: string, owner: ConversationOwner, nowMs: number): Promise<boolean>;
}

export interface ConversationLock {
  readonly token: string;
  readonly leaseEndsAtMs: number;
}

export type LockResult =
  | { readonly state: 'locked'; readonly conversation: Conversation }
  | { readonly state: 'held' }
  | { readonly state: 'missing' };

export interface NotedTurn {
  /** Of the turn in its conversation, from 1. */
  readonly position: number;
  readonly updatedAtMs: number;
  readonly lockToken: string;
}

export interface ConversationPage {
  readonly limit: number;
  /** Only those that changed strictly before. */
  readonly beforeMs?: number;
}
