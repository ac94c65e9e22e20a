import { afterEach, describe, expect, test } from 'vitest';
import { GeneratorService } from '../../gen/service/generator/v1/generator_pb.ts';
import { HealthService } from '../../gen/service/health/v1/health_pb.ts';
import type { ApiKey } from '../../src/domain/api-key.ts';
import { type ErrorSlug, errorCatalogue, grpcCode } from '../../src/domain/errors.ts';
import type { Organization, User } from '../../src/domain/organization.ts';
import type { Store } from '../../src/ports/store.ts';
import { openSqliteStore } from '../../src/storage/sqlite/open-sqlite-store.ts';
import { seed, startMs, token } from '../service/seed.ts';
import { type RunningService, startService } from '../service/start-service.ts';
import { type Answer, connectDoor, type Door, type Exchange, grpcDoor, restDoor } from './doors.ts';

const doors: Readonly<Record<string, Door>> = { REST: restDoor, 'Connect JSON': connectDoor, gRPC: grpcDoor };
const clock = { now: () => startMs };
const bearer = { authorization: `Bearer ${token}` };

const health: Omit<Exchange, 'headers'> = {
  service: HealthService,
  method: HealthService.method.getHealth,
  message: {},
  rest: { method: 'GET', path: '/v1/health' },
};

const pdf = (spec: Exchange['message'], body: object = spec): Omit<Exchange, 'headers'> => ({
  service: GeneratorService,
  method: GeneratorService.method.generatePdf,
  message: spec,
  rest: { method: 'POST', path: '/v1/pdf', body: body as never },
});

let service: RunningService | undefined;
afterEach(async () => {
  await service?.stop();
  service = undefined;
});

interface Setup {
  readonly organization?: Partial<Organization>;
  readonly actor?: Partial<User>;
  readonly apiKey?: Partial<ApiKey>;
  readonly env?: Readonly<Record<string, string>>;
  readonly broken?: (store: Store) => Store;
}

async function start({ env, broken, ...differences }: Setup = {}): Promise<number> {
  const store = openSqliteStore({ path: ':memory:' });
  await seed(store, differences);
  service = await startService(env, { store: broken === undefined ? store : broken(store), clock });
  return service.port;
}

/** What every authenticated answer carries (interface, sections 2.1 and 8.1). */
const standing = {
  'x-service-api-key-id': 'key-1',
  'x-ratelimit-limit': '1000',
  'x-service-rate-limit': '1000',
  'x-service-budget-limit': '5000000',
  'x-service-budget-used': '0',
};

interface RefusedCase {
  readonly slug: ErrorSlug;
  readonly setup?: Setup;
  readonly call?: Omit<Exchange, 'headers'>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly extra?: Readonly<Record<string, string>>;
  readonly authenticated: boolean;
  /** Calls made and thrown away before the one that counts. */
  readonly before?: number;
}

const failing = (method: string) => () => Promise.reject(new Error(`${method}: secret detail of the store`));

const refused: readonly RefusedCase[] = [
  { slug: 'missing_token', headers: {}, authenticated: false },
  { slug: 'invalid_token', headers: { authorization: 'Bearer svc_live_nonsense' }, authenticated: false },
  { slug: 'key_actor_revoked', setup: { actor: { active: false } }, authenticated: true },
  { slug: 'org_suspended', setup: { organization: { suspended: true } }, authenticated: true },
  { slug: 'subscription_required', setup: { organization: { subscription: 'none' } }, authenticated: true },
  { slug: 'trial_no_api_access', setup: { organization: { trial: true } }, authenticated: true },
  {
    slug: 'rate_limit_exceeded',
    setup: { apiKey: { rateLimitPerHour: 1 } },
    before: 1,
    extra: { retry_after: '3600', used: '1', limit: '1' },
    authenticated: true,
  },
  {
    slug: 'budget_exhausted',
    setup: { apiKey: { tokenBudget: 0 } },
    extra: { used: '0', in_flight: '0', limit: '0' },
    authenticated: true,
  },
  {
    slug: 'insufficient_scope',
    setup: { apiKey: { scopes: ['chat', 'excel'] } },
    call: pdf({ title: 'x' }, { title: 'x', sections: [] }),
    extra: { required_scope: 'pdf', granted_scopes: '["chat","excel"]' },
    authenticated: true,
  },
  { slug: 'ip_rate_limit_exceeded', setup: { env: { IP_RATE_LIMIT: '1' } }, before: 1, authenticated: false },
  {
    slug: 'budget_check_failed',
    setup: { broken: (store) => ({ ...store, ledger: { ...store.ledger, read: failing('ledger.read') } }) },
    authenticated: true,
  },
  {
    slug: 'entitlement_check_failed',
    setup: {
      broken: (store) => ({
        ...store,
        apiKeys: { ...store.apiKeys, findPrincipal: failing('findPrincipal') },
      }),
    },
    authenticated: false,
  },
];

/** Connect's HTTP status of each gRPC code (connectrpc.com/docs/protocol, error codes). */
const connectStatus: Readonly<Record<number, number>> = {
  3: 400,
  5: 404,
  7: 403,
  8: 429,
  9: 400,
  10: 409,
  13: 500,
  14: 503,
  16: 401,
};

describe.each(Object.entries(doors))('through %s', (name, door) => {
  const statusOf = (slug: ErrorSlug): number => {
    const { status, grpc } = errorCatalogue[slug];
    const code = grpcCode[grpc];
    return name === 'REST' ? status : name === 'gRPC' ? code : (connectStatus[code] as number);
  };

  test.for(refused.filter(({ call }) => call === undefined || name !== 'Connect JSON'))(
    '$slug is refused the same',
    async ({ slug, setup, call = health, headers = bearer, extra, authenticated, before = 0 }) => {
      const port = await start(setup);
      for (let count = 0; count < before; count++) await door(port, { ...call, headers });
      const answer = await door(port, { ...call, headers });
      expect(answer).toMatchObject({ slug, status: statusOf(slug) });
      expect(answer.extra).toEqual(extra ?? {});
      expect(JSON.stringify(answer)).not.toContain('secret detail');
      if (authenticated) expect(answer.headers['x-service-api-key-id']).toBe('key-1');
      else expect(answer.headers).not.toHaveProperty('x-service-api-key-id');
      const retries: readonly ErrorSlug[] = ['rate_limit_exceeded', 'ip_rate_limit_exceeded'];
      expect(answer.headers['retry-after'] !== undefined).toBe(retries.includes(slug));
    },
  );

  test('health tells the same, with where the key stands in the headers', async () => {
    const port = await start();
    const answer: Answer = await door(port, { ...health, headers: bearer });
    expect(answer.message).toEqual({
      status: 'ok',
      key: { rate_limit_per_hour: 1000, monthly_token_budget: 5_000_000 },
      budget: {
        used: 0,
        limit: 5_000_000,
        remaining: 5_000_000,
        cycle_started_at: '2026-05-01T00:00:00.000Z',
      },
      timestamp: '2026-05-10T12:00:00.000Z',
      allowed_models: expect.any(Array),
    });
    expect(answer.headers).toMatchObject({
      ...standing,
      'x-ratelimit-remaining': '999',
      'x-service-rate-used': '1',
    });
    expect(answer.headers['x-ratelimit-reset']).toBe(String(startMs / 1000 + 3600));
  });

  test('health tells the tokens that are used, as the headers do', async () => {
    const port = await start();
    const account = { organizationId: 'org-1', apiKeyId: 'key-1', cycleStartMs: Date.UTC(2026, 4, 1) };
    const ledger = service?.store.ledger;
    await ledger?.reserve({
      ...account,
      nowMs: startMs,
      reservationId: 'r',
      tokens: 100,
      leaseEndsAtMs: startMs + 60_000,
      keyLimit: null,
      poolLimit: null,
    });
    await ledger?.settle({ ...account, nowMs: startMs }, 'r', 70);
    const { headers, message } = await door(port, { ...health, headers: bearer });
    expect(message).toMatchObject({ budget: { used: 70, limit: 5_000_000, remaining: 4_999_930 } });
    expect(headers['x-service-budget-used']).toBe('70');
  });

  test('a key without a budget has none in its headers and its health', async () => {
    const port = await start({ apiKey: { tokenBudget: null } });
    const { headers, message } = await door(port, { ...health, headers: bearer });
    expect(headers).not.toHaveProperty('x-service-budget-limit');
    expect(message).toMatchObject({ key: { rate_limit_per_hour: 1000 }, budget: { used: 0 } });
    expect(message).not.toHaveProperty('key.monthly_token_budget');
  });

  test('a request id is echoed', async () => {
    const port = await start();
    const { headers } = await door(port, { ...health, headers: { ...bearer, 'x-request-id': 'abc-123' } });
    expect(headers['x-request-id']).toBe('abc-123');
  });
});
