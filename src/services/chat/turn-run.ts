import type { ChatAnswer } from '../../domain/chat.ts';
import type { Conversation, StoredMessage } from '../../domain/conversation.ts';
import { ServiceError } from '../../domain/errors.ts';
import { limits } from '../../domain/limits.ts';
import type { ConversationEntry, Turn, TurnRound } from '../../domain/turn.ts';
import { applyTurn, lockToken } from './apply-turn.ts';
import { type Bill, settleBill } from './bill.ts';
import type { Leased } from './lease-keeper.ts';
import { hasWritten } from './recover-turns.ts';
import type { TurnContext } from './turn-dependencies.ts';
import { type History, noHistory } from './turn-prompt.ts';

/** The messages that a turn adds to its conversation; their ids are given at the commit. */
export type NewMessage = Omit<StoredMessage, 'id'>;

export interface TurnRunOptions {
  readonly turn: Turn;
  readonly bill: Bill;
  /** Whether the record exists, as it does for a claimed turn. */
  readonly hasBegun: boolean;
  /** Called when another runner has taken over. */
  readonly onLost: () => void;
}

/**
 * What one run of a turn holds in the stores, from the first reservation to the commit or to giving everything back.
 */
export class TurnRun implements Leased {
  readonly #deps: TurnContext;
  readonly #options: TurnRunOptions;
  readonly #token: string;
  #conversation: Conversation | null = null;
  #history = noHistory;
  #hasBegun: boolean;
  #isLocked = false;
  /** The conversation was created for this run and nobody has been told of it. */
  #isDiscardable = false;
  /** Committed, or another's. */
  #isOver = false;
  #ticks = 0;

  constructor(deps: TurnContext, options: TurnRunOptions) {
    this.#deps = deps;
    this.#options = options;
    this.#token = lockToken(options.turn);
    this.#hasBegun = options.hasBegun;
  }

  get conversation(): Conversation | null {
    return this.#conversation;
  }

  /** Takes a new conversation for the turn. It exists nowhere yet. */
  start(conversation: Conversation): void {
    this.#conversation = conversation;
  }

  /** Takes a conversation whose lock this run holds. */
  enter(conversation: Conversation): void {
    this.#conversation = conversation;
    this.#isLocked = true;
  }

  /** Says after which turn of the conversation this one comes. */
  follow(history: History): void {
    this.#history = history;
  }

  /**
   * Writes the turn's record, creates its conversation when `discloses` says that the caller will be told of it, and
   * reserves the first round, all at once.
   *
   * @throws `usage_limit_exceeded`, `budget_exhausted`, `budget_check_failed`
   */
  async open(round: number, tokens: number, discloses: boolean): Promise<void> {
    const { turn, bill } = this.#options;
    const { turns, conversations } = this.#deps.store;
    const conversation = this.#conversation;
    const creates = discloses && conversation !== null && !this.#isLocked;
    const lock = {
      token: this.#token,
      leaseEndsAtMs: this.#deps.clock.now() + limits.chat.conversationLeaseMs,
    };
    const [opened, begun, created] = await Promise.allSettled([
      bill.open(round, tokens),
      this.#hasBegun ? undefined : turns.begin(turn),
      creates ? conversations.create(conversation, lock) : undefined,
    ]);
    this.#hasBegun ||= begun.status === 'fulfilled';
    this.#isDiscardable = creates && created.status === 'fulfilled';
    this.#isLocked ||= this.#isDiscardable;
    if (opened.status === 'rejected') throw opened.reason;
    const failure = [begun, created].find((outcome) => outcome.status === 'rejected');
    if (failure !== undefined) throw new ServiceError('budget_check_failed', { cause: failure.reason });
  }

  /** From now on the caller knows the conversation: it stays whatever happens. */
  disclose(): void {
    this.#isDiscardable = false;
  }

  async journal(rounds: readonly TurnRound[]): Promise<void> {
    const { turn, bill } = this.#options;
    const { charges } = bill;
    if (!(await this.#deps.store.turns.journal(turn.id, turn.fence, { rounds, charges }))) throw this.#lose();
  }

  /**
   * Commits the turn, and does what follows from it; what cannot be done now, the sweep does later. Without an answer
   * its claim is given back.
   *
   * @throws `request_in_progress` when another runner has taken over.
   */
  async commit(messages: readonly NewMessage[], answer: ChatAnswer | null): Promise<void> {
    const { turn, bill } = this.#options;
    const { store, clock, report } = this.#deps;
    const conversation = this.#conversation;
    const committedAtMs = clock.now();
    const claimExpiresAtMs = turn.claim && committedAtMs + limits.chat.idempotencyWindowMs;
    const { charges } = bill;
    const commit = { conversation, charges, answer, committedAtMs, claimExpiresAtMs };
    let after = this.#history;
    for (;;) {
      const entry = conversation === null ? null : entryAfter(after, messages);
      const result = await store.turns.commit(turn.id, turn.fence, { ...commit, entry });
      if (result === 'superseded') throw this.#lose();
      if (result === 'position_taken') {
        after = await lastEntry(this.#deps, conversation, after);
        continue;
      }
      this.#isOver = true;
      try {
        await applyTurn(this.#deps, { ...turn, ...commit, entry });
        this.#isLocked = false;
        if (turn.claim !== null && answer === null) await store.turns.forgetClaim(turn.id);
        this.#deps.appliedNotes.add(turn.id);
      } catch (cause) {
        report(`turn ${turn.id} not applied yet`, cause);
      }
      return;
    }
  }

  /** Pays for what was used and gives everything back. A turn that has changed something can be gone on with. */
  async giveUp(rounds: readonly TurnRound[]): Promise<void> {
    if (this.#isOver) return;
    const { turn, bill } = this.#options;
    const { store, clock } = this.#deps;
    const { charges } = bill;
    await settleBill({ ...store, clock }, { ...turn, charges });
    if (!this.#hasBegun) return;
    if (turn.claim !== null && hasWritten({ rounds }))
      await store.turns.release(turn.id, turn.fence, clock.now());
    else await store.turns.abandon(turn.id, turn.fence);
  }

  /** Lets go of the conversation, if this run still holds it. */
  async leave(): Promise<void> {
    const conversation = this.#conversation;
    if (!this.#isLocked || conversation === null) return;
    this.#isLocked = false;
    const { conversations } = this.#deps.store;
    if (this.#isDiscardable) await conversations.discard(conversation.id, this.#token);
    else await conversations.unlock(conversation.id, this.#token);
  }

  /** Called every 5 s. The conversation's lease is the shortest. */
  async renew(): Promise<boolean> {
    const { turn, bill } = this.#options;
    const { turns, conversations } = this.#deps.store;
    const conversation = this.#conversation;
    const nowMs = this.#deps.clock.now();
    this.#ticks += 1;
    const [holdsLock, holdsTurn] = await Promise.all([
      !this.#isLocked ||
        conversation === null ||
        conversations.renew(conversation.id, this.#token, nowMs + limits.chat.conversationLeaseMs),
      !this.#hasBegun ||
        this.#ticks % 3 !== 0 ||
        turns.renew(turn.id, turn.fence, nowMs + limits.chat.idempotencyLeaseMs),
      this.#ticks % 3 === 0 ? bill.renew() : undefined,
    ]);
    // A run that has ended meanwhile has given its lock back itself.
    return (holdsLock || !this.#isLocked) && holdsTurn;
  }

  onLost(): void {
    this.#isOver = true;
    this.#options.onLost();
  }

  #lose(): ServiceError {
    this.#isOver = true;
    return new ServiceError('request_in_progress', { detail: 'The turn was taken over by another request.' });
  }
}

function entryAfter(
  after: Pick<History, 'lastPosition' | 'lastMessageId'>,
  messages: readonly NewMessage[],
): ConversationEntry {
  return {
    position: after.lastPosition + 1,
    messages: messages.map((message, index) => ({ ...message, id: after.lastMessageId + index + 1 })),
  };
}

async function lastEntry(
  { store }: TurnContext,
  conversation: Conversation | null,
  before: History,
): Promise<History> {
  if (conversation === null) return before;
  const [last] = await store.turns.entries(conversation.id, { limit: 1 });
  if (last === undefined) return before;
  return { turns: [], lastPosition: last.position, lastMessageId: last.messages.at(-1)?.id ?? 0 };
}
