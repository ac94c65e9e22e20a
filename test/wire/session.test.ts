import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { limits } from '../../src/domain/limits.ts';
import { operatorOrganizationId } from '../../src/domain/operator.ts';
import { openSqliteStore } from '../../src/storage/sqlite/open-sqlite-store.ts';
import { startMs } from '../service/seed.ts';
import { type RunningService, startService } from '../service/start-service.ts';
import { type BrowserSession, call, createPeople, origin, password, signIn } from './session-client.ts';

let service: RunningService;
let nowMs = startMs;

beforeAll(async () => {
  const store = openSqliteStore({ path: ':memory:' });
  await createPeople(store, operatorOrganizationId);
  await createPeople(store, 'ours');
  await createPeople(store, 'theirs');
  await createPeople(store, 'suspended', { organization: { suspended: true } });
  service = await startService(
    { PUBLIC_URL: origin, TRUSTED_PROXIES: '127.0.0.1' },
    { store, clock: { now: () => nowMs } },
  );
});
afterAll(() => service.stop());
/** Failures of one test are forgotten before the next. */
beforeEach(() => {
  nowMs += limits.session.failureWindowMs;
});

const admin = 'ours-admin@example.com';
const member = 'ours-member@example.com';

describe('signing in over REST', () => {
  test('gives a cookie and says who is signed in', async () => {
    const { status, headers, body } = await call(
      service.url,
      'POST',
      '/api/session',
      { origin },
      { email: admin, password },
    );
    expect(status).toBe(200);
    expect(headers.getSetCookie()).toEqual([
      expect.stringMatching(/^session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=43200$/),
    ]);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(body).toEqual({
      ok: true,
      user: { id: 'ours-admin', organization_id: 'ours', email: admin, name: 'Ada', role: 'admin' },
      csrf_token: expect.stringMatching(/^[\w-]{43}$/),
      expires_at: new Date(nowMs + 43_200_000).toISOString(),
    });
  });

  test('shows the session, with the same token against forged requests', async () => {
    const { cookie, csrfToken } = await signIn(service.url, admin);
    const { status, headers, body } = await call(service.url, 'GET', '/api/session', { cookie });
    expect(status).toBe(200);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.getSetCookie()).toEqual([]);
    expect(body).toMatchObject({ ok: true, csrf_token: csrfToken, user: { id: 'ours-admin' } });
  });

  test('changes the cookie each time and ends the session before', async () => {
    const first = await signIn(service.url, admin);
    const second = await signIn(service.url, member, { cookie: first.cookie });
    expect(second.cookie).not.toBe(first.cookie);
    expect(second.csrfToken).not.toBe(first.csrfToken);
    expect(await statusOf(first)).toBe(401);
    expect(await statusOf(second)).toBe(200);
  });

  test('ends by signing out, which takes the cookie away', async () => {
    const session = await signIn(service.url, admin);
    const { status, headers } = await call(service.url, 'DELETE', '/api/session', session.headers);
    expect(status).toBe(204);
    expect(headers.getSetCookie()).toEqual(['session=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0']);
    expect(await statusOf(session)).toBe(401);
  });

  test('ends everywhere when asked, and for nobody else', async () => {
    const [here, there, other] = [
      await signIn(service.url, admin),
      await signIn(service.url, admin),
      await signIn(service.url, member),
    ];
    await call(service.url, 'DELETE', '/api/session?everywhere=false', there.headers);
    expect([await statusOf(here), await statusOf(there)]).toEqual([200, 401]);
    const again = await signIn(service.url, admin);
    await call(service.url, 'DELETE', '/api/session?everywhere=true', here.headers);
    expect([await statusOf(here), await statusOf(again), await statusOf(other)]).toEqual([401, 401, 200]);
  });

  test('by twenty at once begins twenty sessions', async () => {
    const sessions = await Promise.all(Array.from({ length: 20 }, () => signIn(service.url, admin)));
    expect(new Set(sessions.map(({ cookie }) => cookie)).size).toBe(20);
    expect(new Set(await Promise.all(sessions.map(statusOf)))).toEqual(new Set([200]));
  });

  test('without an Origin is for those who are no browsers', async () => {
    const { status } = await call(service.url, 'POST', '/api/session', {}, { email: admin, password });
    expect(status).toBe(200);
  });

  test('fails the same for every reason', async () => {
    await service.store.users.update('theirs-member', { active: false });
    await service.store.users.update('theirs-admin', { passwordHash: null });
    const attempts = [
      { email: admin, password: 'wrong' },
      { email: 'nobody@example.com', password },
      { email: 'theirs-member@example.com', password },
      { email: 'theirs-admin@example.com', password },
    ];
    const answers = [];
    for (const attempt of attempts) {
      const { status, headers, body } = await call(service.url, 'POST', '/api/session', { origin }, attempt);
      const lasting = [...headers].filter(([header]) => header !== 'x-request-id' && header !== 'date');
      answers.push(JSON.stringify({ status, headers: lasting, body }));
    }
    expect(new Set(answers).size).toBe(1);
    expect(JSON.parse(answers[0] ?? '')).toMatchObject({
      status: 401,
      body: { ok: false, error: 'E-mail address or password is wrong' },
    });
    expect(answers[0]).not.toContain('set-cookie');
  });

  test('is refused after ten failures of the account, and after fifty of the address', async () => {
    const attempt = (email: string, from: string, secret = 'wrong') =>
      call(
        service.url,
        'POST',
        '/api/session',
        { origin, 'x-forwarded-for': from },
        { email, password: secret },
      );
    for (let index = 0; index < 10; index += 1)
      expect((await attempt(admin, `192.0.2.${index}`)).status).toBe(401);
    const ofAccount = await attempt(admin, '192.0.2.99', password);
    expect(ofAccount.status).toBe(429);
    expect(ofAccount.headers.get('retry-after')).toBe('900');
    expect(ofAccount.body).toEqual({ ok: false, error: 'Too many failed sign-ins. Try again in 900 s' });
    const parallel = Array.from({ length: 60 }, (_, index) =>
      attempt(`x${index}@example.com`, '198.51.100.1'),
    );
    const statuses = (await Promise.all(parallel)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 401)).toHaveLength(50);
    expect(statuses.filter((status) => status === 429)).toHaveLength(10);
    expect((await attempt(member, '198.51.100.1', password)).status).toBe(429);
    expect((await attempt(member, '198.51.100.2', password)).status).toBe(200);
  });
});

async function statusOf({ cookie }: BrowserSession): Promise<number> {
  return (await call(service.url, 'GET', '/api/session', { cookie })).status;
}

interface HostileSignIn {
  readonly name: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: unknown;
  readonly status: number;
  readonly error: string | RegExp;
}

const wrong = { status: 401, error: 'E-mail address or password is wrong' };
const foreign = {
  body: { email: admin, password },
  status: 403,
  error: `The Origin header must be that of the service, ${origin}`,
};
const unread = { status: 400, error: expect.any(String) as unknown as string };

const hostileSignIns: readonly HostileSignIn[] = [
  { name: 'another site', headers: { origin: 'https://evil.test' }, ...foreign },
  { name: 'Origin: null', headers: { origin: 'null' }, ...foreign },
  { name: 'another port', headers: { origin: `${origin}:8080` }, ...foreign },
  { name: 'another scheme', headers: { origin: 'https://service.test' }, ...foreign },
  { name: 'a subdomain', headers: { origin: 'http://a.service.test' }, ...foreign },
  { name: 'no Origin and a Referer of another site', headers: { referer: 'https://evil.test/' }, ...foreign },
  { name: 'SQL in the address', body: { email: `' OR 1=1 --`, password }, ...wrong },
  {
    name: 'SQL that has the form of an address',
    body: { email: `'OR'1'='1@example.com`, password },
    ...wrong,
  },
  { name: 'SQL in the password', body: { email: admin, password: `' OR '1'='1` }, ...wrong },
  { name: 'a wildcard', body: { email: '%@example.com', password }, ...wrong },
  { name: 'letters of fullwidth', body: { email: 'ｏurs-admin@example.com', password }, ...wrong },
  { name: 'a Cyrillic letter', body: { email: '\u043eurs-admin@example.com', password }, ...wrong },
  { name: 'a zero-width joiner', body: { email: 'ours\u200d-admin@example.com', password }, ...wrong },
  { name: 'two addresses', body: { email: `${admin},${member}`, password }, ...wrong },
  { name: 'a line break and a second address', body: { email: `${admin}\n${member}`, password }, ...wrong },
  { name: 'an empty password', body: { email: admin, password: '' }, ...wrong },
  { name: 'the password with a space', body: { email: admin, password: `${password} ` }, ...wrong },
  { name: 'the password in capitals', body: { email: admin, password: password.toUpperCase() }, ...wrong },
  {
    name: 'the password cut short by a NUL',
    body: { email: admin, password: `${password}\u0000x` },
    ...wrong,
  },
  { name: 'a password of 900 KB', body: { email: admin, password: 'a'.repeat(900_000) }, ...wrong },
  { name: 'no password', body: { email: admin }, ...unread },
  { name: 'no address', body: { password }, ...unread },
  { name: 'null', body: { email: admin, password: null }, ...unread },
  { name: 'a number', body: { email: admin, password: 1 }, ...unread },
  { name: 'a list of passwords', body: { email: admin, password: [password] }, ...unread },
  { name: 'an operator in place of the password', body: { email: admin, password: { $ne: '' } }, ...unread },
  { name: 'an operator in place of the address', body: { email: { $gt: '' }, password }, ...unread },
  { name: 'a list', body: [{ email: admin, password }], ...unread },
  {
    name: 'more than a megabyte',
    body: { email: admin, password: 'a'.repeat(1_100_000) },
    status: 413,
    error: /larger than/,
  },
  {
    name: 'a suspended organization',
    body: { email: 'suspended-admin@example.com', password },
    status: 403,
    error: 'Organization is suspended',
  },
];

test.for(hostileSignIns)(
  'a sign-in with $name gets $status and no cookie',
  async ({ headers = { origin }, body, status, error }) => {
    const answer = await call(service.url, 'POST', '/api/session', headers, body);
    expect(answer.status).toBe(status);
    expect(answer.body).toEqual({
      ok: false,
      error: error instanceof RegExp ? expect.stringMatching(error) : error,
    });
    expect(answer.headers.getSetCookie()).toEqual([]);
  },
);

test('a sign-in by a form is not read', async () => {
  const body = new URLSearchParams({ email: admin, password });
  for (const type of ['application/x-www-form-urlencoded', 'text/plain', 'multipart/form-data; boundary=x']) {
    const res = await fetch(`${service.url}/api/session`, {
      method: 'POST',
      headers: { 'content-type': type },
      body: String(body),
    });
    expect([res.status, res.headers.getSetCookie()]).toEqual([400, []]);
  }
});
