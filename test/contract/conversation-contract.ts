import { describe, expect, test } from 'vitest';
import type { Conversation } from '../../src/domain/conversation.ts';
import type { ConversationLock, ConversationStore } from '../../src/ports/conversation-store.ts';
import { StoreConflict } from '../../src/ports/store.ts';
import { type StorePlace, withStores } from './store-contract.ts';

const nowMs = Date.UTC(2026, 5, 15);
const owner = { organizationId: 'organization-1', actorId: 'user-1' };

function aConversation(fields: Partial<Conversation> = {}): Conversation {
  return {
    id: 'conversation-1',
    ...owner,
    title: 'Ünïcødé 🌍 "quoted"',
    model: 'demo',
    mode: 'auto',
    createdAtMs: nowMs,
    updatedAtMs: nowMs,
    ...fields,
  };
}

function aLock(token: string, leaseMs = 1_000): ConversationLock {
  return { token, leaseEndsAtMs: nowMs + leaseMs };
}

/** Every invariant of `ports/conversation-store.ts`, for the conversations of any store. */
export function describeConversationContract(name: string, createPlace: () => Promise<StorePlace>): void {
  describe(`${name} keeps conversations`, () => {
    withStores(createPlace, ({ open }) => {
      const openConversations = async (): Promise<ConversationStore> => (await open()).conversations;

      /** Creates a conversation with one turn, so that it is listed. */
      async function createListed(
        store: ConversationStore,
        fields: Partial<Conversation>,
        updatedAtMs: number,
      ) {
        await store.noteTurn(aConversation(fields), { position: 1, updatedAtMs, lockToken: 'none' });
      }

      test('a conversation is found by its owner and listed from its first turn', async () => {
        const store = await openConversations();
        await store.create(aConversation(), aLock('a'));
        expect(await store.get('conversation-1', owner)).toEqual(aConversation());
        expect(await store.list(owner, { limit: 10 })).toEqual([]);
        await store.noteTurn(aConversation({ model: 'other', mode: 'simple' }), {
          position: 1,
          updatedAtMs: nowMs + 5,
          lockToken: 'a',
        });
        const noted = aConversation({ model: 'other', mode: 'simple', updatedAtMs: nowMs + 5 });
        expect(await store.list(owner, { limit: 10 })).toEqual([noted]);
      });

      test('an id is created once', async () => {
        const store = await openConversations();
        await store.create(aConversation(), aLock('a'));
        await expect(store.create(aConversation(), aLock('b'))).rejects.toBeInstanceOf(StoreConflict);
      });

      test.for([
        ['another actor', { ...owner, actorId: 'user-2' }],
        ['another organization', { ...owner, organizationId: 'organization-2' }],
      ] as const)('%s finds nothing', async ([, stranger]) => {
        const store = await openConversations();
        await createListed(store, {}, nowMs);
        expect(await store.get('conversation-1', stranger)).toBeUndefined();
        expect(await store.list(stranger, { limit: 10 })).toEqual([]);
        expect(await store.delete('conversation-1', stranger, nowMs)).toBe(false);
        expect(await store.lock('conversation-1', stranger, aLock('b'), nowMs)).toEqual({ state: 'missing' });
        expect(await store.get('conversation-1', owner)).toBeDefined();
      });

      test('a deleted conversation is as good as none, also when a turn of it ends later', async () => {
        const store = await openConversations();
        await createListed(store, {}, nowMs);
        expect(await store.delete('conversation-1', owner, nowMs)).toBe(true);
        await store.noteTurn(aConversation(), { position: 2, updatedAtMs: nowMs + 1, lockToken: 'a' });
        expect(await store.get('conversation-1', owner)).toBeUndefined();
        expect(await store.list(owner, { limit: 10 })).toEqual([]);
        expect(await store.delete('conversation-1', owner, nowMs)).toBe(false);
        expect(await store.lock('conversation-1', owner, aLock('b'), nowMs)).toEqual({ state: 'missing' });
      });

      test('of 20 that ask for the lock at once one gets it', async () => {
        const store = await openConversations();
        await createListed(store, {}, nowMs);
        const results = await Promise.all(
          Array.from({ length: 20 }, (_, index) =>
            store.lock('conversation-1', owner, aLock(`token-${index}`), nowMs),
          ),
        );
        expect(results.filter(({ state }) => state === 'locked')).toHaveLength(1);
        expect(results.filter(({ state }) => state === 'held')).toHaveLength(19);
      });

      test('a lock is free again when it is given back, and when its lease ends', async () => {
        const store = await openConversations();
        await store.create(aConversation(), aLock('a'));
        expect(await store.lock('conversation-1', owner, aLock('b'), nowMs + 999)).toEqual({ state: 'held' });
        await store.unlock('conversation-1', 'a');
        expect(await store.lock('conversation-1', owner, aLock('b'), nowMs)).toMatchObject({
          state: 'locked',
        });
        expect(await store.lock('conversation-1', owner, aLock('c', 2_000), nowMs + 1_000)).toMatchObject({
          state: 'locked',
        });
      });

      test('who lost the lock can neither renew nor release it', async () => {
        const store = await openConversations();
        await store.create(aConversation(), aLock('a'));
        expect(await store.renew('conversation-1', 'a', nowMs + 5_000)).toBe(true);
        expect(await store.lock('conversation-1', owner, aLock('b', 9_000), nowMs + 5_000)).toMatchObject({
          state: 'locked',
        });
        expect(await store.renew('conversation-1', 'a', nowMs + 9_000)).toBe(false);
        await store.unlock('conversation-1', 'a');
        await store.noteTurn(aConversation(), { position: 1, updatedAtMs: nowMs, lockToken: 'a' });
        expect(await store.lock('conversation-1', owner, aLock('c'), nowMs + 5_000)).toEqual({
          state: 'held',
        });
      });

      test('a noted turn gives the lock back', async () => {
        const store = await openConversations();
        await store.create(aConversation(), aLock('a'));
        await store.noteTurn(aConversation(), { position: 1, updatedAtMs: nowMs, lockToken: 'a' });
        expect(await store.lock('conversation-1', owner, aLock('b'), nowMs)).toMatchObject({
          state: 'locked',
        });
      });

      test('a turn that is noted twice, or after a later one, changes nothing', async () => {
        const store = await openConversations();
        const note = (position: number, updatedAtMs: number) =>
          store.noteTurn(aConversation(), { position, updatedAtMs, lockToken: 'none' });
        await note(2, nowMs);
        await note(2, nowMs + 10);
        await note(1, nowMs + 20);
        expect((await store.get('conversation-1', owner))?.updatedAtMs).toBe(nowMs);
      });

      test('times of update are unique per actor and grow, however many turns end at once', async () => {
        const store = await openConversations();
        const ids = Array.from({ length: 20 }, (_, index) => `conversation-${index}`);
        await Promise.all(ids.map((id) => createListed(store, { id }, nowMs)));
        await store.noteTurn(aConversation({ id: 'conversation-3' }), {
          position: 2,
          updatedAtMs: nowMs - 1_000,
          lockToken: 'none',
        });
        const listed = await store.list(owner, { limit: 100 });
        const times = listed.map(({ updatedAtMs }) => updatedAtMs);
        expect(new Set(times).size).toBe(20);
        expect(times).toEqual(times.toSorted((a, b) => b - a));
        expect(Math.min(...times)).toBeGreaterThanOrEqual(nowMs);
      });

      test('times of update of different actors do not touch each other', async () => {
        const store = await openConversations();
        await createListed(store, {}, nowMs);
        await createListed(store, { id: 'conversation-2', actorId: 'user-2' }, nowMs);
        expect((await store.get('conversation-2', { ...owner, actorId: 'user-2' }))?.updatedAtMs).toBe(nowMs);
      });

      test('paging by time of update shows each conversation once while others are written', async () => {
        const store = await openConversations();
        for (let index = 0; index < 25; index += 1) {
          await createListed(store, { id: `old-${index}` }, nowMs + (index % 5));
        }
        const seen: string[] = [];
        let beforeMs: number | undefined;
        for (let page = 0; ; page += 1) {
          const rows = await store.list(owner, { limit: 4, ...(beforeMs === undefined ? {} : { beforeMs }) });
          seen.push(...rows.map(({ id }) => id));
          await createListed(store, { id: `new-${page}` }, nowMs + page);
          beforeMs = rows.at(-1)?.updatedAtMs;
          if (rows.length < 4) break;
        }
        const old = seen.filter((id) => id.startsWith('old-'));
        expect(old.length).toBe(25);
        expect(new Set(seen).size).toBe(seen.length);
      });

      test('only a conversation without turns can be discarded, and only by its holder', async () => {
        const store = await openConversations();
        await store.create(aConversation(), aLock('a'));
        await store.discard('conversation-1', 'b');
        expect(await store.get('conversation-1', owner)).toBeDefined();
        await store.discard('conversation-1', 'a');
        expect(await store.get('conversation-1', owner)).toBeUndefined();
        await createListed(store, { id: 'conversation-2' }, nowMs);
        await store.lock('conversation-2', owner, aLock('a'), nowMs);
        await store.discard('conversation-2', 'a');
        expect(await store.get('conversation-2', owner)).toBeDefined();
      });
    });
  });
}
