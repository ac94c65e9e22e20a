import { afterEach, describe, expect, test } from 'vitest';
import { limits } from '../../../src/domain/limits.ts';
import { systemRandom } from '../../../src/ports/random.ts';
import { anOrganization, aUser } from '../../contract/records.ts';
import { openSessions, password, refusalOf, type SessionHarness } from './harness.ts';

const { failuresPerAccount, failuresPerAddress, failureWindowMs, perUser } = limits.session;

let harness: SessionHarness;
afterEach(() => harness.store.close());

describe('a sign-in', () => {
  test('begins a session of 12 hours, of which only hashes are stored', async () => {
    harness = await openSessions();
    const { token, csrfToken, session, user } = await harness.signIn();
    expect(user.id).toBe('user-1');
    expect(session.expiresAtMs).toBe(harness.nowMs + 43_200_000);
    const stored = JSON.stringify(await harness.store.sessions.get(session.id));
    for (const secret of [token, csrfToken, password, 'salt 1']) expect(stored).not.toContain(secret);
    expect((await harness.sessions.authenticate(token)).user.id).toBe('user-1');
  });

  test.for(['USER-1@EXAMPLE.COM', '  user-1@example.com\n', 'User-1@Example.Com'])(
    'takes the address as it was taken when the user was created: %j',
    async (email) => {
      harness = await openSessions();
      expect((await harness.signIn(email)).user.id).toBe('user-1');
    },
  );

  test('has a token of its own each time, and ends the session that the client had', async () => {
    harness = await openSessions();
    const first = await harness.signIn();
    const elsewhere = await harness.signIn();
    const second = await harness.signIn(undefined, undefined, { previousToken: first.token });
    expect(new Set([first.token, elsewhere.token, second.token]).size).toBe(3);
    await expect(harness.sessions.authenticate(first.token)).rejects.toMatchObject({ status: 401 });
    await harness.sessions.authenticate(elsewhere.token);
    await harness.sessions.authenticate(second.token);
  });

  test('does not take up a token that the client brought', async () => {
    harness = await openSessions();
    const planted = 'A'.repeat(43);
    const { token } = await harness.signIn(undefined, undefined, { previousToken: planted });
    expect(token).not.toBe(planted);
    await expect(harness.sessions.authenticate(planted)).rejects.toMatchObject({ status: 401 });
  });

  test('that fails leaves the present session as it is', async () => {
    harness = await openSessions();
    const { token } = await harness.signIn();
    const failed = harness.signIn(undefined, 'wrong', { previousToken: token });
    await expect(failed).rejects.toMatchObject({ status: 401 });
    await harness.sessions.authenticate(token);
  });

  test(`leaves a user the newest ${perUser} sessions`, async () => {
    harness = await openSessions();
    const tokens: string[] = [];
    for (let index = 0; index <= perUser; index += 1) {
      harness.nowMs += 1;
      tokens.push((await harness.signIn()).token);
    }
    const [oldest = '', second = ''] = tokens;
    await expect(harness.sessions.authenticate(oldest)).rejects.toMatchObject({ status: 401 });
    await harness.sessions.authenticate(second);
  });

  test('clears away sessions that are over', async () => {
    harness = await openSessions();
    const { session } = await harness.signIn();
    harness.nowMs = session.expiresAtMs;
    await harness.signIn();
    expect(await harness.store.sessions.get(session.id)).toBeUndefined();
  });

  test('works though old sessions cannot be removed, which the log says', async () => {
    harness = await openSessions();
    const { store } = harness;
    const broken = { ...store, sessions: { ...store.sessions, deleteOfUser: failing } };
    const reports: string[] = [];
    const again = await openSessions({ store: broken, report: (message) => void reports.push(message) });
    expect((await again.signIn()).user.id).toBe('user-1');
    expect(reports).toEqual(['old sessions not removed']);
    await again.store.close();
  });
});

interface Fault {
  readonly name: string;
  readonly email?: string;
  readonly secret?: string;
  readonly user?: Parameters<typeof aUser>[0];
}

const faults: readonly Fault[] = [
  { name: 'a wrong password', secret: 'wrong horse battery' },
  { name: 'an empty password', secret: '' },
  { name: 'a password with a space more', secret: `${password} ` },
  { name: 'a password in capitals', secret: password.toUpperCase() },
  { name: 'the hash itself', secret: `salt 1 of ${password}` },
  { name: 'a password of a megabyte', secret: 'a'.repeat(1_000_000) },
  { name: 'a password with a NUL', secret: `${password}\u0000` },
  { name: 'an unknown account', email: 'nobody@example.com' },
  { name: 'an unknown account and no password', email: 'nobody@example.com', secret: '' },
  { name: 'no e-mail address', email: '' },
  { name: 'an e-mail address without a host', email: 'user-1' },
  { name: 'an e-mail address of a megabyte', email: `${'a'.repeat(1_000_000)}@example.com` },
  { name: 'an address in SQL', email: `'or'1'='1@example.com` },
  { name: 'an address that SQL would match', email: 'user-_@example.com' },
  { name: 'an address that LIKE would match', email: '%@example.com' },
  { name: 'an address with a comment', email: `user-1@example.com'--` },
  { name: 'fullwidth letters, which only NFKC makes plain', email: 'ｕser-1@example.com' },
  { name: 'a Cyrillic letter', email: 'us\u0435r-1@example.com' },
  { name: 'a zero-width space', email: 'user-1\u200b@example.com' },
  { name: 'a soft hyphen', email: 'user\u00ad-1@example.com' },
  { name: 'a NUL', email: 'user-1@example.com\u0000' },
  { name: 'a user who is not active', user: { active: false } },
  { name: 'a user who is not active, with a wrong password', user: { active: false }, secret: 'wrong' },
  { name: 'a user without a password', user: { passwordHash: null } },
  { name: 'a user without a password, and an empty one', user: { passwordHash: null }, secret: '' },
];

describe('who may not sign in', () => {
  test.for(faults)('gets the one answer, after one verification: $name', async ({ email, secret, user }) => {
    harness = await openSessions({}, { user: { ...user } });
    await harness.signIn(email, secret).catch(() => undefined);
    const { hashes, verifications } = harness.hasher;
    expect({ hashes, verifications: verifications.length }).toEqual({ hashes: 1, verifications: 1 });
    expect(await refusalOf(harness.signIn(email, secret))).toEqual({
      status: 401,
      reason: 'SIGN_IN_FAILED',
      grpc: 'UNAUTHENTICATED',
      detail: 'E-mail address or password is wrong',
      title: expect.any(String),
      retryAfterSeconds: undefined,
      extra: {},
    });
    expect(harness.hasher.hashes).toBe(1);
  });

  test('is verified against a decoy that no password fits, made once', async () => {
    harness = await openSessions();
    await harness.signIn('nobody@example.com', 'x').catch(() => undefined);
    const [[decoy = ''] = []] = harness.hasher.verifications;
    expect(decoy).toMatch(/^decoy of .{43}$/);
    await harness.signIn('nobody@example.com', decoy).catch(() => undefined);
    expect(harness.hasher.verifications[1]?.[0]).toBe(decoy);
  });

  test('is refused even with the password that the decoy was made of', async () => {
    harness = await openSessions({ random: { bytes: (length) => new Uint8Array(length) } });
    const ofDecoy = Buffer.alloc(32).toString('base64url');
    expect(await refusalOf(harness.signIn('nobody@example.com', ofDecoy))).toMatchObject({ status: 401 });
  });

  test('by composed and decomposed letters are two addresses', async () => {
    harness = await openSessions({}, { user: { email: 'jos\u00e9@example.com' } });
    expect((await harness.signIn('jos\u00e9@example.com')).user.id).toBe('user-1');
    expect(await refusalOf(harness.signIn('jose\u0301@example.com'))).toMatchObject({ status: 401 });
  });

  test('a suspended organization is told to its users alone', async () => {
    harness = await openSessions({}, { organization: { suspended: true } });
    expect(await refusalOf(harness.signIn(undefined, 'wrong'))).toMatchObject({ reason: 'SIGN_IN_FAILED' });
    expect(await refusalOf(harness.signIn())).toMatchObject({
      status: 403,
      reason: 'ORGANIZATION_SUSPENDED',
    });
  });
});

describe('failed sign-ins', () => {
  const fail = (email?: string, address?: string) =>
    harness.signIn(email, 'wrong', { ...(address !== undefined && { address }) }).catch(() => undefined);
  const from = (index: number) => `198.51.100.${index}`;

  test.for(['user-1@example.com', 'nobody@example.com', 'no address'])(
    `of one account are ${failuresPerAccount} in 15 minutes, known or not: %s`,
    async (email) => {
      harness = await openSessions();
      for (let index = 0; index < failuresPerAccount; index += 1) await fail(email, from(index));
      const verified = harness.hasher.verifications.length;
      expect(verified).toBe(failuresPerAccount);
      harness.nowMs += 1_000;
      expect(await refusalOf(harness.signIn(email, password, { address: from(99) }))).toMatchObject({
        status: 429,
        reason: 'TOO_MANY_SIGN_INS',
        grpc: 'RESOURCE_EXHAUSTED',
        detail: 'Too many failed sign-ins. Try again in 899 s',
        retryAfterSeconds: 899,
      });
      expect(harness.hasher.verifications).toHaveLength(verified);
      harness.nowMs += failureWindowMs - 1_000;
      await fail(email);
      expect(harness.hasher.verifications).toHaveLength(verified + 1);
    },
  );

  test('the account is one, however its address is written', async () => {
    harness = await openSessions();
    for (let index = 0; index < failuresPerAccount; index += 1) {
      await fail(index % 2 === 0 ? 'User-1@example.com' : ' USER-1@EXAMPLE.COM', from(index));
    }
    expect(await refusalOf(harness.signIn())).toMatchObject({ status: 429 });
  });

  test(`of one address are ${failuresPerAddress} in 15 minutes, whichever the accounts`, async () => {
    harness = await openSessions();
    for (let index = 0; index < failuresPerAddress; index += 1) await fail(`user-x${index}@example.com`);
    expect(await refusalOf(harness.signIn())).toMatchObject({ status: 429, retryAfterSeconds: 900 });
    expect((await harness.signIn(undefined, undefined, { address: from(1) })).user.id).toBe('user-1');
  });

  test('of one /64 of IPv6 are those of one address', async () => {
    harness = await openSessions();
    const inNetwork = (network: number, index: number) => `2001:db8:0:${network}::${index.toString(16)}`;
    for (let index = 0; index < failuresPerAddress; index += 1) {
      await fail(`user-x${index}@example.com`, inNetwork(1, index));
    }
    const again = harness.signIn(undefined, undefined, { address: '2001:DB8:0:1:ffff:ffff:ffff:ffff' });
    expect(await refusalOf(again)).toMatchObject({ status: 429 });
    const beside = await harness.signIn(undefined, undefined, { address: inNetwork(2, 1) });
    expect(beside.user.id).toBe('user-1');
  });

  test('are counted exactly when they come all at once', async () => {
    harness = await openSessions();
    const all = Array.from({ length: 100 }, (_, index) =>
      refusalOf(harness.signIn(undefined, `wrong ${index}`, { address: from(index % 50) })),
    );
    const statuses = (await Promise.all(all)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 401)).toHaveLength(failuresPerAccount);
    expect(statuses.filter((status) => status === 429)).toHaveLength(100 - failuresPerAccount);
    expect(harness.hasher.verifications).toHaveLength(failuresPerAccount);
  });

  test('that come all at once from one address are counted exactly as well', async () => {
    harness = await openSessions();
    const all = Array.from({ length: 120 }, (_, index) =>
      refusalOf(harness.signIn(`user-x${index}@example.com`, 'wrong')),
    );
    await Promise.all(all);
    expect(harness.hasher.verifications).toHaveLength(failuresPerAddress);
  });

  test('alone count: nobody is kept out by signing in often, all at once or not', async () => {
    harness = await openSessions();
    const all = Array.from({ length: failuresPerAddress + 10 }, () => harness.signIn());
    const tokens = new Set((await Promise.all(all)).map(({ token }) => token));
    expect(tokens.size).toBe(failuresPerAddress + 10);
    for (const token of tokens) await harness.sessions.authenticate(token);
  });

  test('do not keep others out', async () => {
    harness = await openSessions();
    await harness.store.users.create(aUser({ id: 'user-2', passwordHash: `salt 2 of ${password}` }));
    for (let index = 0; index < failuresPerAccount; index += 1) await fail();
    expect((await harness.signIn('user-2@example.com')).user.id).toBe('user-2');
  });

  test('do not end the sessions that the account has', async () => {
    harness = await openSessions();
    const { token } = await harness.signIn();
    for (let index = 0; index <= failuresPerAccount; index += 1) await fail();
    await harness.sessions.authenticate(token);
  });
});

const failing = async (): Promise<never> => {
  throw new Error('private text');
};

describe('a sign-in that cannot be decided', () => {
  test.for<[string, (whole: SessionHarness) => Partial<SessionHarness['deps']>]>([
    ['users', ({ store }) => ({ store: { ...store, users: { ...store.users, findByEmail: failing } } })],
    ['sessions', ({ store }) => ({ store: { ...store, sessions: { ...store.sessions, create: failing } } })],
    ['counter', ({ deps }) => ({ failureCounter: { ...deps.failureCounter, peek: failing } })],
    ['hasher', ({ deps }) => ({ passwords: { ...deps.passwords, verify: failing } })],
    ['decoy', ({ deps }) => ({ passwords: { ...deps.passwords, hash: failing } })],
  ])('is refused as unavailable, without inner words: %s', async ([part, breaking]) => {
    harness = await openSessions();
    const broken = await openSessions({ random: systemRandom, ...breaking(harness) });
    const call = broken.signIn(part === 'decoy' ? 'nobody@example.com' : undefined);
    const refusal = await refusalOf(call);
    expect(refusal).toMatchObject({ status: 503, grpc: 'UNAVAILABLE', reason: 'SESSIONS_UNAVAILABLE' });
    expect(JSON.stringify(refusal)).not.toContain('private');
    await broken.store.close();
  });

  test('for want of its organization is refused', async () => {
    harness = await openSessions({}, { user: { organizationId: 'gone' } });
    await harness.store.organizations.create(anOrganization({ id: 'another' }));
    expect(await refusalOf(harness.signIn())).toMatchObject({ status: 403 });
  });
});
