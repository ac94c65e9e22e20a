import { describe, expect, test } from 'vitest';
import type { Session } from '../../src/domain/session.ts';
import { StoreConflict } from '../../src/ports/store.ts';
import { type StorePlace, withStores } from './store-contract.ts';

const createdAtMs = Date.UTC(2026, 0, 15, 12);

function aSession(fields: Partial<Session> = {}): Session {
  return {
    id: 'session-1',
    userId: 'user-1',
    passwordTag: 'tag',
    createdAtMs,
    lastUsedAtMs: createdAtMs,
    expiresAtMs: createdAtMs + 1_000,
    ...fields,
  };
}

/** Every invariant of `ports/session-store.ts`, for any adapter. */
export function describeSessionStoreContract(name: string, createPlace: () => Promise<StorePlace>): void {
  describe(`${name} keeps sessions`, () => {
    withStores(createPlace, ({ open }) => {
      const openSessions = async () => (await open()).sessions;

      test('a session comes back as it was created, and through a second store on the same place', async () => {
        const sessions = await openSessions();
        await sessions.create(aSession());
        expect(await sessions.get('session-1')).toEqual(aSession());
        expect(await (await openSessions()).get('session-1')).toEqual(aSession());
        expect(await sessions.get('session-2')).toBeUndefined();
      });

      test('an id is taken once', async () => {
        const sessions = await openSessions();
        await sessions.create(aSession());
        const again = sessions.create(aSession({ userId: 'user-2' }));
        await expect(again).rejects.toBeInstanceOf(StoreConflict);
        expect((await sessions.get('session-1'))?.userId).toBe('user-1');
      });

      test('the last use only grows, in whichever order uses are noted', async () => {
        const sessions = await openSessions();
        await sessions.create(aSession());
        const uses = [30, 10, 20, 0, -5].map((afterMs) => createdAtMs + afterMs);
        await Promise.all(uses.map((usedAtMs) => sessions.touch('session-1', usedAtMs)));
        expect(await sessions.get('session-1')).toEqual(aSession({ lastUsedAtMs: createdAtMs + 30 }));
      });

      test('a deleted session stays deleted, also when a use of it is noted later', async () => {
        const sessions = await openSessions();
        await sessions.create(aSession());
        expect(await sessions.delete('session-1')).toBe(true);
        await sessions.touch('session-1', createdAtMs + 10);
        expect(await sessions.get('session-1')).toBeUndefined();
        expect(await sessions.delete('session-1')).toBe(false);
      });

      test('of parallel deletions of a session one finds it', async () => {
        const [first, second] = [await openSessions(), await openSessions()];
        await first.create(aSession());
        const found = await Promise.all([
          first.delete('session-1'),
          second.delete('session-1'),
          first.delete('session-1'),
        ]);
        expect(found.filter(Boolean)).toHaveLength(1);
      });

      test("a user's sessions end but the newest that are kept; another user's stand", async () => {
        const sessions = await openSessions();
        for (const [index, id] of ['b', 'a', 'd', 'c'].entries()) {
          await sessions.create(aSession({ id, createdAtMs: createdAtMs + index }));
        }
        await sessions.create(aSession({ id: 'other', userId: 'user-2' }));
        const present = async () => {
          const found = await Promise.all(['b', 'a', 'd', 'c', 'other'].map((id) => sessions.get(id)));
          return found.flatMap((session) => session?.id ?? []);
        };
        await sessions.deleteOfUser('user-1', 2);
        expect(await present()).toEqual(['d', 'c', 'other']);
        await sessions.deleteOfUser('user-1', 5);
        expect(await present()).toEqual(['d', 'c', 'other']);
        await sessions.deleteOfUser('user-1', 0);
        expect(await present()).toEqual(['other']);
      });

      test('sessions past their latest end are forgotten, to the millisecond', async () => {
        const sessions = await openSessions();
        await sessions.create(aSession({ id: 'a', expiresAtMs: 1_000 }));
        await sessions.create(aSession({ id: 'b', expiresAtMs: 1_001 }));
        await sessions.forgetExpired(1_000);
        expect(await sessions.get('a')).toBeUndefined();
        expect(await sessions.get('b')).toBeDefined();
      });

      test('values are values, whatever they look like', async () => {
        const sessions = await openSessions();
        const hostile = `' OR '1'='1'; DROP TABLE sessions; --`;
        await sessions.create(aSession());
        expect(await sessions.get(hostile)).toBeUndefined();
        await sessions.deleteOfUser(hostile, 0);
        await sessions.create(aSession({ id: hostile, userId: hostile }));
        expect((await sessions.get(hostile))?.userId).toBe(hostile);
        expect(await sessions.get('session-1')).toEqual(aSession());
      });
    });
  });
}
