import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { AdminService } from '../../gen/service/admin/v1/admin_pb.ts';
import { SessionService } from '../../gen/service/admin/v1/session_pb.ts';
import { apiGrpcCode } from '../../src/domain/api-error.ts';
import { grpcCode } from '../../src/domain/errors.ts';
import { limits } from '../../src/domain/limits.ts';
import { operatorOrganizationId } from '../../src/domain/operator.ts';
import { type SessionReason, sessionRefusals } from '../../src/domain/session-errors.ts';
import { hashSessionToken } from '../../src/domain/session-token.ts';
import { openSqliteStore } from '../../src/storage/sqlite/open-sqlite-store.ts';
import { startMs } from '../service/seed.ts';
import { type RunningService, startService } from '../service/start-service.ts';
import { type Answer, connectDoor, type Door, type Exchange, grpcDoor, restDoor } from './doors.ts';
import { type BrowserSession, call, createPeople, origin, signIn } from './session-client.ts';

const doors: Readonly<Record<string, Door>> = { REST: restDoor, 'Connect JSON': connectDoor, gRPC: grpcDoor };

let service: RunningService;
let nowMs = startMs;
/** Sessions that no test ends: an administrator's, another's, and a member's. */
let own: BrowserSession;
let other: BrowserSession;
let member: BrowserSession;

beforeAll(async () => {
  const store = openSqliteStore({ path: ':memory:' });
  await createPeople(store, operatorOrganizationId);
  await createPeople(store, 'ours');
  await createPeople(store, 'theirs');
  service = await startService({ PUBLIC_URL: origin }, { store, clock: { now: () => nowMs } });
  own = await signIn(service.url, 'ours-admin@example.com');
  other = await signIn(service.url, 'theirs-admin@example.com');
  member = await signIn(service.url, 'ours-member@example.com');
});
afterAll(() => service.stop());

type Call = Omit<Exchange, 'headers'>;

const readSession: Call = {
  service: SessionService,
  method: SessionService.method.getSession,
  message: {},
  rest: { method: 'GET', path: '/api/session' },
};

const listUsers: Call = {
  service: AdminService,
  method: AdminService.method.listUsers,
  message: {},
  rest: { method: 'GET', path: '/api/admin/users' },
};

const rename = (name: string, id = 'ours-member'): Call => ({
  service: AdminService,
  method: AdminService.method.updateUser,
  message: { id, name },
  rest: { method: 'PATCH', path: `/api/admin/users/${id}`, body: { name } },
});

const signOut = (everywhere = false): Call => ({
  service: SessionService,
  method: SessionService.method.deleteSession,
  message: { everywhere },
  rest: { method: 'DELETE', path: `/api/session${everywhere ? '?everywhere=true' : ''}` },
});

/** Connect's HTTP status of a gRPC code. */
const connectStatus: Readonly<Record<number, number>> = { 7: 403, 14: 503, 16: 401 };

function expectRefusal(door: string, answer: Answer, reason: SessionReason): void {
  const { status, grpc, message } = sessionRefusals[reason];
  const code = { ...grpcCode, ...apiGrpcCode }[grpc];
  if (door === 'REST') {
    expect(answer).toMatchObject({
      status,
      message: { ok: false, error: expect.stringMatching(new RegExp(`^${message}`)) },
    });
  } else {
    expect(answer).toMatchObject({
      status: door === 'gRPC' ? code : connectStatus[code],
      slug: reason.toLowerCase(),
    });
  }
  expect(answer.headers).not.toHaveProperty('set-cookie');
}

const tokenOf = ({ cookie }: BrowserSession): string => cookie.slice('session='.length);
const another = (text: string): string => (text.startsWith('A') ? 'B' : 'A') + text.slice(1);

/** Headers that name nobody. */
const strangers: readonly [name: string, headers: () => Record<string, string>][] = [
  ['no cookie', () => ({})],
  ['an empty cookie', () => ({ cookie: 'session=' })],
  ['a cookie without a value', () => ({ cookie: 'session' })],
  ['the name in capitals', () => ({ cookie: `SESSION=${tokenOf(own)}` })],
  ['another name', () => ({ cookie: `xsession=${tokenOf(own)}` })],
  ['the name that https has', () => ({ cookie: `__Host-session=${tokenOf(own)}` })],
  ['a forged token', () => ({ cookie: `session=${randomBytes(32).toString('base64url')}` })],
  ['a token with another letter', () => ({ cookie: `session=${another(tokenOf(own))}` })],
  ['a token in other letters', () => ({ cookie: `session=${tokenOf(own).toLowerCase()}` })],
  ['a token cut short', () => ({ cookie: own.cookie.slice(0, -1) })],
  ['a token with a letter more', () => ({ cookie: `${own.cookie}A` })],
  ['a token with padding', () => ({ cookie: `${own.cookie}=` })],
  ['a token in quotes', () => ({ cookie: `session="${tokenOf(own)}"` })],
  ['a token in percent signs', () => ({ cookie: `session=%${tokenOf(own)}` })],
  ['two sessions', () => ({ cookie: `${own.cookie}; ${other.cookie}` })],
  ['a session and an empty one', () => ({ cookie: `${own.cookie}; session=` })],
  ['a forged session before the real one', () => ({ cookie: `session=x; ${own.cookie}` })],
  ['what is stored of a session', () => ({ cookie: `session=${hashSessionToken(tokenOf(own))}` })],
  ['the id of a user', () => ({ cookie: 'session=ours-admin' })],
  ['SQL', () => ({ cookie: `session=' OR '1'='1` })],
  ['a cookie of 8 KB', () => ({ cookie: `session=${'A'.repeat(8_192)}` })],
  ['a token as a key', () => ({ authorization: `Bearer ${tokenOf(own)}` })],
  ['a token in a header of its own', () => ({ session: tokenOf(own) })],
  ['the token against forged requests as a session', () => ({ cookie: `session=${own.csrfToken}` })],
];

type Change = readonly [name: string, reason: SessionReason, headers: () => Record<string, string>];

const withOrigin = (value: string) => () => ({ ...own.headers, origin: value });
const withToken = (make: () => string) => () => ({ ...own.headers, 'x-csrf-token': make() });
const without =
  (name: keyof BrowserSession['headers'], more: Record<string, string> = {}) =>
  () => {
    const { [name]: _, ...headers } = own.headers;
    return { ...headers, ...more } as Record<string, string>;
  };

/** Headers of a signed-in administrator with which nothing may be changed. */
const forgeries: readonly Change[] = [
  ['no token', 'CSRF_TOKEN_MISMATCH', without('x-csrf-token')],
  ['an empty token', 'CSRF_TOKEN_MISMATCH', withToken(() => '')],
  ["another user's token", 'CSRF_TOKEN_MISMATCH', withToken(() => other.csrfToken)],
  ["a colleague's token", 'CSRF_TOKEN_MISMATCH', withToken(() => member.csrfToken)],
  ['the token cut short', 'CSRF_TOKEN_MISMATCH', withToken(() => own.csrfToken.slice(0, -1))],
  ['the token with a letter more', 'CSRF_TOKEN_MISMATCH', withToken(() => `${own.csrfToken}A`)],
  ['the token in other letters', 'CSRF_TOKEN_MISMATCH', withToken(() => own.csrfToken.toUpperCase())],
  ['the token twice', 'CSRF_TOKEN_MISMATCH', withToken(() => `${own.csrfToken}, ${own.csrfToken}`)],
  ["the session's own token", 'CSRF_TOKEN_MISMATCH', withToken(() => tokenOf(own))],
  ['a token of 8 KB', 'CSRF_TOKEN_MISMATCH', withToken(() => 'A'.repeat(8_192))],
  [
    'the token as a cookie',
    'CSRF_TOKEN_MISMATCH',
    () => ({ origin, cookie: `${own.cookie}; csrf_token=${own.csrfToken}; x-csrf-token=${own.csrfToken}` }),
  ],
  ['neither Origin nor Referer', 'ORIGIN_MISMATCH', without('origin')],
  ['Origin: null', 'ORIGIN_MISMATCH', withOrigin('null')],
  ['another site', 'ORIGIN_MISMATCH', withOrigin('https://evil.test')],
  ['another port', 'ORIGIN_MISMATCH', withOrigin(`${origin}:8080`)],
  ['the port that is meant anyway', 'ORIGIN_MISMATCH', withOrigin(`${origin}:80`)],
  ['another scheme', 'ORIGIN_MISMATCH', withOrigin('https://service.test')],
  ['other letters', 'ORIGIN_MISMATCH', withOrigin('HTTP://SERVICE.TEST')],
  ['a slash at the end', 'ORIGIN_MISMATCH', withOrigin(`${origin}/`)],
  ['a subdomain', 'ORIGIN_MISMATCH', withOrigin('http://a.service.test')],
  ['a longer host', 'ORIGIN_MISMATCH', withOrigin(`${origin}.evil.test`)],
  ['the host as a user name', 'ORIGIN_MISMATCH', withOrigin('http://service.test@evil.test')],
  ['two origins', 'ORIGIN_MISMATCH', withOrigin(`${origin}, https://evil.test`)],
  ['a Referer of another site', 'ORIGIN_MISMATCH', without('origin', { referer: 'https://evil.test/' })],
  ['a Referer cut to nothing', 'ORIGIN_MISMATCH', without('origin', { referer: 'about:blank' })],
  ['a member', 'ADMINISTRATOR_REQUIRED', () => member.headers],
];

describe.each(Object.entries(doors))('through %s', (name, door) => {
  const through = (exchange: Call, headers: Readonly<Record<string, string>>) =>
    door(service.port, { ...exchange, headers });

  test.for(strangers)('%s is nobody’s session', async ([, headers]) => {
    expectRefusal(name, await through(readSession, headers()), 'NOT_SIGNED_IN');
    const change = { origin, 'x-csrf-token': own.csrfToken, ...headers() };
    expectRefusal(name, await through(rename('Mallory'), change), 'NOT_SIGNED_IN');
    expect((await service.store.users.get('ours-member'))?.name).not.toBe('Mallory');
  });

  test.for(forgeries)('%s changes nothing', async ([, reason, headers]) => {
    expectRefusal(name, await through(rename('Mallory'), headers()), reason);
    expect((await service.store.users.get('ours-member'))?.name).not.toBe('Mallory');
  });

  test.for(forgeries.filter(([, reason]) => reason !== 'ADMINISTRATOR_REQUIRED'))(
    '%s signs nobody out, and does not keep from reading',
    async ([, reason, headers]) => {
      expectRefusal(name, await through(signOut(true), headers()), reason);
      expect((await through(readSession, headers())).message).toMatchObject({ ok: true });
    },
  );

  test.for<[string, () => Record<string, string>]>([
    ['all that is needed', () => own.headers],
    ['a Referer in place of Origin', without('origin', { referer: `${origin}/settings?a=b` })],
    ['other cookies beside', () => ({ ...own.headers, cookie: `a=b; ${own.cookie}; c=d` })],
    ['the same cookie twice', () => ({ ...own.headers, cookie: `${own.cookie}; ${own.cookie}` })],
  ])('a change comes through with %s', async ([what, headers]) => {
    const { message } = await through(rename(`${name}: ${what}`), headers());
    expect(message).toMatchObject({ user: { id: 'ours-member', name: `${name}: ${what}` } });
    const { data } = await service.store.auditEvents.list({ organizationId: 'ours' }, { limit: 1 });
    expect(data).toHaveLength(1);
    expect(data[0]).toMatchObject({ actor: 'ours-admin', action: 'user.update', subjectId: 'ours-member' });
  });

  test('members see their session and administer nothing', async () => {
    expect((await through(readSession, member.headers)).message).toMatchObject({ user: { role: 'member' } });
    expectRefusal(name, await through(listUsers, member.headers), 'ADMINISTRATOR_REQUIRED');
  });

  test('administrators see their own organization, those of the operator all of them', async () => {
    const root = await signIn(service.url, `${operatorOrganizationId}-admin@example.com`);
    const idsFor = async ({ headers }: BrowserSession) => {
      const { message } = await through(listUsers, headers);
      return (message as { data: { id: string }[] }).data.map(({ id }) => id).sort();
    };
    expect(await idsFor(own)).toEqual(['ours-admin', 'ours-member']);
    expect(await idsFor(other)).toEqual(['theirs-admin', 'theirs-member']);
    expect(await idsFor(root)).toEqual(expect.arrayContaining(['ours-admin', 'theirs-admin']));
  });

  test('what belongs to another organization is answered as what there is not', async () => {
    const crossing = await through(rename('Mallory', 'theirs-member'), own.headers);
    const missing = await through(rename('Mallory', 'nobody'), own.headers);
    const visible = ({ status, slug, extra, message }: Answer) =>
      JSON.stringify({ status, slug, extra, message }).replace(/There is no user [\w-]+/, 'There is no user');
    expect(visible(crossing)).toBe(visible(missing));
    expect(crossing.status).toBe(name === 'gRPC' ? grpcCode.NOT_FOUND : 404);
    expect((await service.store.users.get('theirs-member'))?.name).toBe('Ada');
  });

  test('sign-in gives the cookie that the other doors take', async () => {
    const exchange: Call = {
      service: SessionService,
      method: SessionService.method.createSession,
      message: { email: 'ours-admin@example.com', password: 'correct horse battery' },
      rest: {
        method: 'POST',
        path: '/api/session',
        body: { email: 'ours-admin@example.com', password: 'correct horse battery' },
      },
    };
    const { headers, message } = await through(exchange, {});
    expect(headers['cache-control']).toBe('no-store');
    const cookie = String(headers['set-cookie']).split(';')[0] ?? '';
    for (const each of Object.values(doors)) {
      const seen = await each(service.port, { ...readSession, headers: { cookie } });
      expect(seen.message).toEqual(message);
    }
    expectRefusal(name, await through({ ...exchange }, { origin: 'https://evil.test' }), 'ORIGIN_MISMATCH');
  });

  test('signing out ends the session and takes the cookie away', async () => {
    const session = await signIn(service.url, 'theirs-member@example.com');
    const { headers } = await through(signOut(), session.headers);
    expect(String(headers['set-cookie'])).toContain('session=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0');
    expectRefusal(name, await through(readSession, session.headers), 'NOT_SIGNED_IN');
  });

  test.for<[string, SessionReason, () => Promise<unknown>, () => Promise<unknown>]>([
    [
      'another password',
      'NOT_SIGNED_IN',
      () => service.store.users.update('theirs-member', { passwordHash: '$argon2id$other' }),
      restorePassword,
    ],
    [
      'deactivation',
      'NOT_SIGNED_IN',
      () => service.store.users.update('theirs-member', { active: false }),
      () => service.store.users.update('theirs-member', { active: true }),
    ],
    [
      'suspension',
      'ORGANIZATION_SUSPENDED',
      () => service.store.organizations.update('theirs', { suspended: true }),
      () => service.store.organizations.update('theirs', { suspended: false }),
    ],
  ])('%s counts on the next call', async ([, reason, happen, undo]) => {
    const session = await signIn(service.url, 'theirs-member@example.com');
    try {
      await happen();
      expectRefusal(name, await through(readSession, session.headers), reason);
      expectRefusal(name, await through(signOut(), session.headers), reason);
    } finally {
      await undo();
    }
  });
});

async function restorePassword(): Promise<void> {
  const admin = await service.store.users.get('theirs-admin');
  await service.store.users.update('theirs-member', { passwordHash: admin?.passwordHash ?? null });
}

test('an administrator who sets a password signs that user out', async () => {
  const session = await signIn(service.url, 'theirs-member@example.com');
  const change = { password: 'another password' };
  const path = '/api/admin/users/theirs-member';
  expect((await call(service.url, 'PATCH', path, other.headers, change)).status).toBe(200);
  expect((await call(service.url, 'GET', '/api/session', { cookie: session.cookie })).status).toBe(401);
  await restorePassword();
});

test('a member who becomes an administrator may administer with the session at hand, and the other way round', async () => {
  const list = () => call(service.url, 'GET', '/api/admin/users', { cookie: member.cookie });
  expect((await list()).status).toBe(403);
  await service.store.users.update('ours-member', { role: 'admin' });
  expect((await list()).status).toBe(200);
  await service.store.users.update('ours-member', { role: 'member' });
  expect((await list()).status).toBe(403);
});

test('the description of the service names the cookie and what changes need', async () => {
  const { body } = await call(service.url, 'GET', '/openapi.json');
  expect(body).toMatchObject({
    paths: {
      '/api/admin/users': {
        post: { security: [{ session: [] }], parameters: [{ name: 'X-CSRF-Token', in: 'header' }] },
      },
    },
    components: { securitySchemes: { session: { type: 'apiKey', in: 'cookie', name: 'session' } } },
  });
});

test('a session ends when it is idle, and at the latest after twelve hours', async () => {
  const idle = await signIn(service.url, 'ours-admin@example.com');
  const used = await signIn(service.url, 'ours-admin@example.com');
  const statusOf = async ({ cookie }: BrowserSession) =>
    (await call(service.url, 'GET', '/api/session', { cookie })).status;
  const beganAtMs = nowMs;
  nowMs += limits.session.idleMs - 1;
  expect(await statusOf(used)).toBe(200);
  nowMs += 1;
  expect([await statusOf(idle), await statusOf(used)]).toEqual([401, 200]);
  while (nowMs < beganAtMs + limits.session.absoluteMs - 1_200_000) {
    nowMs += 1_200_000;
    expect(await statusOf(used)).toBe(200);
  }
  nowMs = beganAtMs + limits.session.absoluteMs;
  expect(await statusOf(used)).toBe(401);
});

describe('over https', () => {
  test('the cookie has the prefix and is Secure', async () => {
    const secure = await startService(
      { PUBLIC_URL: 'https://service.test' },
      { store: { ...service.store, close: async () => {} } },
    );
    try {
      const body = { email: 'ours-admin@example.com', password: 'correct horse battery' };
      const answer = await call(secure.url, 'POST', '/api/session', { origin: 'https://service.test' }, body);
      expect(answer.headers.getSetCookie()).toEqual([
        expect.stringMatching(
          /^__Host-session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Secure; Max-Age=43200$/,
        ),
      ]);
      const token = answer.headers.getSetCookie()[0]?.split(/[=;]/)[1];
      const under = async (name: string) =>
        (await call(secure.url, 'GET', '/api/session', { cookie: `${name}=${token}` })).status;
      expect([await under('__Host-session'), await under('session')]).toEqual([200, 401]);
      const { body: description } = await call(secure.url, 'GET', '/openapi.json');
      expect(description).toMatchObject({
        components: { securitySchemes: { session: { name: '__Host-session' } } },
      });
    } finally {
      await secure.stop();
    }
  });
});
