import { describe, expect, test } from 'vitest';
import type { Conversation } from '../../src/domain/conversation.ts';
import type { Charge, ConversationEntry, TurnRound } from '../../src/domain/turn.ts';
import type { TurnCommit, TurnStore } from '../../src/ports/turn-store.ts';
import { aTurn, nowMs } from './a-turn.ts';
import { type StorePlace, withStores } from './store-contract.ts';

const conversation: Conversation = {
  id: 'conversation-1',
  organizationId: 'organization-1',
  actorId: 'user-1',
  title: 'Hello',
  model: 'demo',
  mode: 'auto',
  createdAtMs: nowMs,
  updatedAtMs: nowMs,
};

const claim = { name: 'claim-1', fingerprint: 'body', expiresAtMs: nowMs + 86_400_000 };
const charge: Charge = { reservationId: 'turn-1:1:0', fence: 1, cycleStartMs: 0, tokens: 12 };
const round: TurnRound = {
  text: 'Looking',
  usage: { promptTokens: 1, completionTokens: 2, totalTokens: 3 },
  calls: [{ id: 'a', name: 'look', arguments: '{"x":"\u0000é"}', writes: true, result: null }],
};

function anEntry(position: number): ConversationEntry {
  const message = { tokens: 1, createdAtMs: nowMs };
  return {
    position,
    messages: [
      { ...message, id: position * 2 - 1, role: 'user', content: `Question ${position}` },
      { ...message, id: position * 2, role: 'assistant', content: `Answer ${position} 🦊` },
    ],
  };
}

function aCommit(fields: Partial<TurnCommit> = {}): TurnCommit {
  return {
    conversation: null,
    charges: [charge],
    entry: null,
    answer: null,
    committedAtMs: nowMs + 5,
    claimExpiresAtMs: null,
    ...fields,
  };
}

/** Every invariant of `ports/turn-store.ts`, for the turns of any store. */
export function describeTurnContract(name: string, createPlace: () => Promise<StorePlace>): void {
  describe(`${name} keeps turns`, () => {
    withStores(createPlace, ({ open }) => {
      const openTurns = async (): Promise<TurnStore> => (await open()).turns;

      test('a turn comes back as it was begun', async () => {
        const store = await openTurns();
        const account = { subject: 'actor:user-1', unit: 'tokens', window: 'day', startMs: 0 } as const;
        const turn = aTurn({
          conversation,
          claim,
          holds: [{ id: 'hold', fence: 1, account }],
          rounds: [round],
        });
        expect(await store.begin(turn)).toBeUndefined();
        expect(await store.get('turn-1')).toEqual(turn);
        expect(await store.get('none')).toBeUndefined();
      });

      test('of 20 that claim a name at once one gets it, and the others learn who', async () => {
        const store = await openTurns();
        const results = await Promise.all(
          Array.from({ length: 20 }, (_, index) => store.begin(aTurn({ id: `turn-${index}`, claim }))),
        );
        expect(results.filter((holder) => holder === undefined)).toHaveLength(1);
        expect(new Set(results.map((holder) => holder?.id)).size).toBe(2);
      });

      test('a commit makes answer, messages and charges true together', async () => {
        const store = await openTurns();
        await store.begin(aTurn({ claim }));
        const answer = {
          id: 'turn-1',
          conversationId: 'conversation-1',
          model: 'demo',
          content: 'Answer',
          toolCalls: [{ name: 'look', args: { deep: [1, null, { a: 'é' }] } }],
          finishReason: 'stop',
          usage: null,
          createdAtMs: nowMs,
        } as const;
        const commit = aCommit({ conversation, answer, entry: anEntry(1), claimExpiresAtMs: nowMs + 99 });
        expect(await store.commit('turn-1', 1, commit)).toBe('committed');
        expect(await store.get('turn-1')).toMatchObject({
          status: 'committed',
          conversation,
          answer,
          charges: [charge],
          entry: anEntry(1),
          rounds: [],
          applied: false,
          committedAtMs: nowMs + 5,
          claim: { ...claim, expiresAtMs: nowMs + 99 },
        });
        expect(await store.entries('conversation-1', { limit: 10 })).toEqual([anEntry(1)]);
      });

      test('a turn is committed once', async () => {
        const store = await openTurns();
        await store.begin(aTurn());
        const results = await Promise.all([1, 2, 3].map(() => store.commit('turn-1', 1, aCommit())));
        expect(results.toSorted()).toEqual(['committed', 'superseded', 'superseded']);
      });

      test('a dead runner’s turn goes to one of those who take it over, with its journal', async () => {
        const store = await openTurns();
        await store.begin(aTurn({ claim }));
        expect(await store.journal('turn-1', 1, { rounds: [round], charges: [charge] })).toBe(true);
        const lease = { nowMs: nowMs + 1_000, leaseEndsAtMs: nowMs + 9_000, holds: [] };
        expect(await store.takeOver('turn-1', 1, { ...lease, nowMs: nowMs + 999 })).toBeUndefined();
        const results = await Promise.all([1, 2, 3].map(() => store.takeOver('turn-1', 1, lease)));
        const taken = results.filter((turn) => turn !== undefined);
        expect(taken).toHaveLength(1);
        expect(taken[0]).toMatchObject({
          fence: 2,
          leaseEndsAtMs: nowMs + 9_000,
          rounds: [round],
          charges: [charge],
        });
      });

      test('a former runner can do nothing any more', async () => {
        const store = await openTurns();
        await store.begin(aTurn({ claim }));
        await store.takeOver('turn-1', 1, { nowMs: nowMs + 1_000, leaseEndsAtMs: nowMs + 9_000, holds: [] });
        expect(await store.renew('turn-1', 1, nowMs + 99_000)).toBe(false);
        expect(await store.journal('turn-1', 1, { rounds: [round], charges: [] })).toBe(false);
        expect(await store.commit('turn-1', 1, aCommit())).toBe('superseded');
        await store.abandon('turn-1', 1);
        await store.release('turn-1', 1, nowMs);
        expect(await store.get('turn-1')).toMatchObject({
          fence: 2,
          leaseEndsAtMs: nowMs + 9_000,
          rounds: [],
        });
        expect(await store.renew('turn-1', 2, nowMs + 99_000)).toBe(true);
        expect(await store.commit('turn-1', 2, aCommit())).toBe('committed');
      });

      test('an abandoned turn frees its claim', async () => {
        const store = await openTurns();
        await store.begin(aTurn({ claim }));
        await store.abandon('turn-1', 1);
        expect(await store.get('turn-1')).toBeUndefined();
        expect(await store.begin(aTurn({ id: 'turn-2', claim }))).toBeUndefined();
      });

      test('a released turn can be taken over at once', async () => {
        const store = await openTurns();
        await store.begin(aTurn({ claim }));
        await store.release('turn-1', 1, nowMs);
        const lease = { nowMs, leaseEndsAtMs: nowMs + 9_000, holds: [] };
        expect(await store.takeOver('turn-1', 1, lease)).toMatchObject({ fence: 2 });
      });

      test('two turns never have the same place in a conversation', async () => {
        const store = await openTurns();
        await store.begin(aTurn());
        await store.begin(aTurn({ id: 'turn-2' }));
        const commit = aCommit({ conversation, entry: anEntry(1) });
        const results = await Promise.all([
          store.commit('turn-1', 1, commit),
          store.commit('turn-2', 1, commit),
        ]);
        expect(results.toSorted()).toEqual(['committed', 'position_taken']);
        const late = results[0] === 'committed' ? 'turn-2' : 'turn-1';
        expect(await store.commit(late, 1, { ...commit, entry: anEntry(2) })).toBe('committed');
        expect(await store.entries('conversation-1', { limit: 10 })).toEqual([anEntry(2), anEntry(1)]);
      });

      test('entries are paged from the last one back', async () => {
        const store = await openTurns();
        for (const position of [1, 2, 3, 4, 5]) {
          await store.begin(aTurn({ id: `turn-${position}` }));
          await store.commit(`turn-${position}`, 1, aCommit({ conversation, entry: anEntry(position) }));
        }
        expect(await store.entries('conversation-1', { limit: 2 })).toEqual([anEntry(5), anEntry(4)]);
        expect(await store.entries('conversation-1', { limit: 2, beforePosition: 4 })).toEqual([
          anEntry(3),
          anEntry(2),
        ]);
        expect(await store.entries('conversation-2', { limit: 2 })).toEqual([]);
      });

      test('what a dead process left behind is found until it is done', async () => {
        const store = await openTurns();
        await store.begin(aTurn({ id: 'dead' }));
        await store.begin(aTurn({ id: 'alive', leaseEndsAtMs: nowMs + 60_000 }));
        await store.begin(aTurn({ id: 'unapplied', leaseEndsAtMs: nowMs + 60_000 }));
        await store.commit('unapplied', 1, aCommit({ conversation, entry: anEntry(1) }));
        const find = async (state: 'dead' | 'unapplied' | 'expired', beforeMs = nowMs + 2_000) =>
          (await store.listUnfinished({ state, beforeMs, limit: 10 })).map(({ id }) => id);
        expect(await find('dead')).toEqual(['dead']);
        expect(await find('unapplied')).toEqual(['unapplied']);
        expect(await find('unapplied', nowMs)).toEqual([]);
        await store.markApplied(['unapplied']);
        expect(await find('unapplied')).toEqual([]);
        expect(await store.entries('conversation-1', { limit: 10 })).toHaveLength(1);
        await store.markApplied(['dead']);
        expect(await find('dead')).toEqual([]);
      });

      test('a turn that another took over is found, though a late sweep says that it is done with', async () => {
        const store = await openTurns();
        for (const id of ['dead', 'committed']) {
          await store.begin(aTurn({ id }));
          await store.takeOver(id, 1, { nowMs: nowMs + 1_000, leaseEndsAtMs: nowMs + 2_000, holds: [] });
        }
        await store.markApplied(['dead', 'committed']);
        await store.renew('dead', 2, nowMs + 3_000);
        await store.commit('committed', 2, aCommit());
        const query = { beforeMs: nowMs + 5_000, limit: 10 } as const;
        expect(await store.listUnfinished({ ...query, state: 'dead' })).toMatchObject([
          { id: 'dead', applied: false },
        ]);
        expect(await store.listUnfinished({ ...query, state: 'unapplied' })).toMatchObject([
          { id: 'committed', applied: false },
        ]);
      });

      test('an applied turn without claim and messages leaves nothing', async () => {
        const store = await openTurns();
        await store.begin(aTurn({ kind: 'query' }));
        await store.commit('turn-1', 1, aCommit());
        await store.markApplied(['turn-1']);
        expect(await store.get('turn-1')).toBeUndefined();
      });

      test('an expired claim is found, and forgetting it frees the name and the answer but no message', async () => {
        const store = await openTurns();
        await store.begin(aTurn({ claim }));
        const commit = aCommit({ conversation, entry: anEntry(1), claimExpiresAtMs: nowMs + 50 });
        await store.commit('turn-1', 1, commit);
        await store.markApplied(['turn-1']);
        const query = { state: 'expired', limit: 10 } as const;
        expect(await store.listUnfinished({ ...query, beforeMs: nowMs + 50 })).toEqual([]);
        expect(await store.listUnfinished({ ...query, beforeMs: nowMs + 51 })).toHaveLength(1);
        await store.forgetClaim('turn-1');
        expect(await store.get('turn-1')).toMatchObject({ claim: null, answer: null, entry: anEntry(1) });
        expect(await store.listUnfinished({ ...query, beforeMs: nowMs + 51 })).toEqual([]);
        expect(await store.begin(aTurn({ id: 'turn-2', claim }))).toBeUndefined();
      });

      test('a second process sees what the first one committed', async () => {
        const [first, second] = [await openTurns(), await openTurns()];
        await first.begin(aTurn({ claim }));
        expect(await second.begin(aTurn({ id: 'turn-2', claim }))).toMatchObject({ id: 'turn-1' });
        await second.commit('turn-1', 1, aCommit());
        expect(await first.get('turn-1')).toMatchObject({ status: 'committed' });
      });
    });
  });
}
