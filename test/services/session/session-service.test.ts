import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createSessionService } from '../../../src/services/session/session-service.ts';
import { openSessions, password, refusalOf, type SessionHarness } from './harness.ts';

let harness: SessionHarness;
let token: string;
beforeEach(async () => {
  harness = await openSessions();
  token = (await harness.signIn()).token;
});
afterEach(() => harness.store.close());

const minute = 60_000;
const isSignedIn = (which = token) =>
  harness.sessions.authenticate(which).then(
    () => true,
    (error: { status: number }) => (error.status === 401 ? false : Promise.reject(error)),
  );

/** A call of the user's: what the gate does. */
async function use(which = token) {
  const { session } = await harness.sessions.authenticate(which);
  harness.sessions.noteUse(session);
  // Writes are made in order, so that the use is noted when this one is.
  await harness.store.sessions.delete('none');
}

describe('a session', () => {
  test('without a use ends after 30 minutes', async () => {
    harness.nowMs += 30 * minute - 1;
    expect(await isSignedIn()).toBe(true);
    harness.nowMs += 1;
    expect(await isSignedIn()).toBe(false);
  });

  test('in use lasts 12 hours and no longer', async () => {
    for (let passed = 0; passed < 12 * 60 - 20; passed += 20) {
      harness.nowMs += 20 * minute;
      await use();
    }
    harness.nowMs += 20 * minute - 1;
    expect(await isSignedIn()).toBe(true);
    harness.nowMs += 1;
    expect(await isSignedIn()).toBe(false);
  });

  test('has its use noted at most once a minute', async () => {
    const { session } = await harness.sessions.authenticate(token);
    const uses: number[] = [];
    const sessions = createSessionService({
      ...harness.deps,
      store: {
        ...harness.store,
        sessions: { ...harness.store.sessions, touch: async (_, usedAtMs) => void uses.push(usedAtMs) },
      },
    });
    harness.nowMs += minute - 1;
    sessions.noteUse(session);
    expect(uses).toEqual([]);
    harness.nowMs += 1;
    sessions.noteUse(session);
    expect(uses).toEqual([harness.nowMs]);
  });

  test('goes on when its use cannot be noted, which the log says', async () => {
    const { session } = await harness.sessions.authenticate(token);
    const touch = async () => Promise.reject(new Error('full'));
    const store = { ...harness.store, sessions: { ...harness.store.sessions, touch } };
    harness.nowMs += 2 * minute;
    createSessionService({ ...harness.deps, store }).noteUse(session);
    await harness.store.sessions.delete('none');
    expect(harness.reports).toEqual(['use of a session not noted']);
  });

  test('that is over is removed when it is next shown', async () => {
    const { session } = await harness.sessions.authenticate(token);
    harness.nowMs += 30 * minute;
    await isSignedIn();
    expect(await harness.store.sessions.get(session.id)).toBeUndefined();
  });

  test('ends by signing out, and no other one with it', async () => {
    const { token: other } = await harness.signIn();
    const { session } = await harness.sessions.authenticate(token);
    await harness.sessions.end(session);
    expect([await isSignedIn(), await isSignedIn(other)]).toEqual([false, true]);
  });

  test('ends with all of the user by signing out everywhere', async () => {
    const { token: other } = await harness.signIn();
    await harness.sessions.endAll('user-1');
    expect([await isSignedIn(), await isSignedIn(other)]).toEqual([false, false]);
  });

  test.for<[string, object]>([
    ['another password', { passwordHash: 'salt 2 of another' }],
    ['the same password, set again', { passwordHash: `salt 2 of ${password}` }],
    ['no password', { passwordHash: null }],
    ['deactivation', { active: false }],
  ])('ends on the next call after %s', async ([, patch]) => {
    await harness.store.users.update('user-1', patch);
    expect(await isSignedIn()).toBe(false);
    await harness.store.users.update('user-1', { active: true, passwordHash: `salt 1 of ${password}` });
    expect(await isSignedIn()).toBe(false);
  });

  test('sees its user as the user is now', async () => {
    await harness.store.users.update('user-1', { role: 'admin', name: 'Grace' });
    expect((await harness.sessions.authenticate(token)).user).toMatchObject({ role: 'admin', name: 'Grace' });
  });

  test('of a suspended organization is refused until it is so no more', async () => {
    await harness.store.organizations.update('organization-1', { suspended: true });
    expect(await refusalOf(harness.sessions.authenticate(token))).toMatchObject({
      status: 403,
      detail: 'Organization is suspended',
    });
    await harness.store.organizations.update('organization-1', { suspended: false });
    expect(await isSignedIn()).toBe(true);
  });

  test.for(['', 'A'.repeat(43), 'A'.repeat(42), 'x'.repeat(100_000), `' OR 1=1 --`, '__proto__'])(
    'is not begun by showing %j',
    async (forged) => {
      expect(await isSignedIn(forged)).toBe(false);
    },
  );

  test('is not found by its stored id', async () => {
    const { session } = await harness.sessions.authenticate(token);
    expect(await isSignedIn(session.id)).toBe(false);
    expect(await isSignedIn(Buffer.from(session.id, 'hex').toString('base64url'))).toBe(false);
  });

  test('that cannot be read is refused as unavailable, not as signed out', async () => {
    const get = async () => Promise.reject(new Error('private text'));
    const store = { ...harness.store, sessions: { ...harness.store.sessions, get } };
    const sessions = createSessionService({ ...harness.deps, store });
    expect(await refusalOf(sessions.authenticate(token))).toMatchObject({ status: 503 });
  });
});
