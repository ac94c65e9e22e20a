import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createMemoryRateCounter } from '../../../src/counters/memory/rate-counter.ts';
import { createApiKeyToken } from '../../../src/domain/api-key-token.ts';
import { ServiceError } from '../../../src/domain/errors.ts';
import type { Store } from '../../../src/ports/store.ts';
import { type Admission, createAdmission } from '../../../src/services/admission/admission.ts';
import { openSqliteStore } from '../../../src/storage/sqlite/open-sqlite-store.ts';
import { seed, startMs, token } from '../../service/seed.ts';

let store: Store;
let now: number;
let admission: Admission;

function open(overrides: Partial<Pick<Store, 'apiKeys' | 'ledger'>> = {}) {
  return createAdmission({
    store: { apiKeys: store.apiKeys, ledger: store.ledger, ...overrides },
    rateCounter: createMemoryRateCounter(),
    addressCounter: createMemoryRateCounter(),
    clock: { now: () => now },
    addressLimits: { requestsPerMinute: 5, authFailuresPerMinute: 2 },
    report: (message, cause) => {
      throw new Error(message, { cause });
    },
  });
}

const admit = (
  authorization: string | null = `Bearer ${token}`,
  scope: 'chat' | 'excel' | undefined = undefined,
) => admission.admit({ authorization, address: '192.0.2.1', scope });

beforeEach(() => {
  store = openSqliteStore({ path: ':memory:' });
  now = startMs;
  admission = open();
});
afterEach(() => store.close());

describe('a caller without a good key', () => {
  test.for<[string, string | null, string]>([
    ['no header', null, 'missing_token'],
    ['another scheme', 'Basic YTpi', 'missing_token'],
    ['no token', 'Bearer ', 'missing_token'],
    ['a malformed key', 'Bearer nonsense', 'invalid_token'],
    ['a wrong checksum', `Bearer ${token.slice(0, -1)}${token.endsWith('0') ? '1' : '0'}`, 'invalid_token'],
    ['an unknown key', `Bearer ${createApiKeyToken(new Uint8Array(48).fill(9))}`, 'invalid_token'],
  ])('is refused: %s', async ([, authorization, slug]) => {
    await seed(store);
    const { standing, refusal } = await admit(authorization);
    expect(refusal?.slug).toBe(slug);
    expect(standing).toBeUndefined();
  });

  test.for<[string, object]>([
    ['revoked', { revokedAtMs: startMs - 1 }],
    ['expired', { expiresAtMs: startMs }],
  ])('gets one answer for every fault of a key: %s', async ([, apiKey]) => {
    await seed(store, { apiKey });
    const { refusal } = await admit();
    const unknown = (await admit('Bearer nonsense')).refusal;
    expect({ ...refusal }).toEqual({ ...unknown });
  });

  test('is asked to wait once its address had too many refused keys, whatever key it shows then', async () => {
    await seed(store);
    await admit('Bearer a');
    await admission.throttle('192.0.2.1');
    await admit('Bearer b');
    await expect(admission.throttle('192.0.2.1')).rejects.toMatchObject({
      slug: 'ip_rate_limit_exceeded',
      retryAfterSeconds: 60,
    });
    await expect(admission.throttle('192.0.2.2')).resolves.toBeUndefined();
  });
});

describe('an address', () => {
  test('is refused over its limit, and let in when the minute has passed', async () => {
    for (let count = 0; count < 5; count++) await admission.throttle('192.0.2.1');
    await expect(admission.throttle('192.0.2.1')).rejects.toMatchObject({ slug: 'ip_rate_limit_exceeded' });
    now += 60_000;
    await expect(admission.throttle('192.0.2.1')).resolves.toBeUndefined();
  });
});

describe('a caller who is not entitled', () => {
  test.for<[string, object]>([
    ['key_actor_revoked', { actor: { active: false } }],
    ['org_suspended', { organization: { suspended: true } }],
    ['subscription_required', { organization: { subscription: 'none' } }],
    ['trial_no_api_access', { organization: { trial: true } }],
  ])('is refused with %s, told where it stands, and not counted', async ([slug, differences]) => {
    await seed(store, differences);
    const { standing, refusal } = await admit();
    expect(refusal?.slug).toBe(slug);
    expect(standing?.rate?.used).toBe(0);
    expect(standing?.budget?.key.used).toBe(0);
  });

  test('is refused on the very call after a change', async () => {
    await seed(store);
    expect((await admit()).refusal).toBeUndefined();
    await store.organizations.update('org-1', { suspended: true });
    expect((await admit()).refusal?.slug).toBe('org_suspended');
  });
});

describe('the hourly limit', () => {
  test('is exact under parallel calls', async () => {
    await seed(store, { apiKey: { rateLimitPerHour: 10 } });
    const verdicts = await Promise.all(Array.from({ length: 50 }, () => admit()));
    expect(verdicts.filter(({ refusal }) => refusal === undefined)).toHaveLength(10);
    const refused = verdicts.find(({ refusal }) => refusal !== undefined);
    expect(refused?.refusal).toMatchObject({
      slug: 'rate_limit_exceeded',
      retryAfterSeconds: 3_600,
      extra: { retry_after: 3_600, used: 10, limit: 10 },
    });
  });

  test('slides: a place is free 60 minutes after the call that took it', async () => {
    await seed(store, { apiKey: { rateLimitPerHour: 1 } });
    await admit();
    now += 3_599_999;
    expect((await admit()).refusal?.slug).toBe('rate_limit_exceeded');
    now += 1;
    expect((await admit()).refusal).toBeUndefined();
  });

  test('comes before the scope: a call without it is counted', async () => {
    await seed(store);
    const { standing, refusal } = await admit(`Bearer ${token}`, 'excel');
    expect(refusal).toMatchObject({
      slug: 'insufficient_scope',
      extra: { required_scope: 'excel', granted_scopes: ['chat', 'pdf'] },
    });
    expect(standing?.rate?.used).toBe(1);
  });
});

describe('the budget', () => {
  const account = {
    organizationId: 'org-1',
    apiKeyId: 'key-1',
    cycleStartMs: Date.UTC(2026, 4, 1),
    nowMs: startMs,
  };
  const reservation = {
    ...account,
    reservationId: 'r1',
    tokens: 100,
    leaseEndsAtMs: startMs + 60_000,
    keyLimit: null,
    poolLimit: null,
  };

  test.for<[string, object]>([
    ['of the key', { apiKey: { tokenBudget: 100 } }],
    ['of the pool', { apiKey: { tokenBudget: null }, organization: { tokenPool: 100 } }],
  ])('%s refuses at the limit, in flight counted', async ([, differences]) => {
    await seed(store, differences);
    await store.ledger.reserve(reservation);
    expect((await admit()).refusal).toMatchObject({
      slug: 'budget_exhausted',
      extra: { used: 0, in_flight: 100, limit: 100 },
    });
    await store.ledger.settle(account, 'r1', 99);
    expect((await admit()).refusal).toBeUndefined();
  });

  test('fails closed when the ledger cannot be read', async () => {
    await seed(store);
    admission = open({ ledger: { ...store.ledger, read: () => Promise.reject(new Error('disk')) } });
    expect((await admit()).refusal?.slug).toBe('budget_check_failed');
  });
});

test('the entitlement fails closed when the store cannot be read', async () => {
  await seed(store);
  admission = open({ apiKeys: { ...store.apiKeys, findPrincipal: () => Promise.reject(new Error('disk')) } });
  const { refusal } = await admit();
  expect(refusal?.slug).toBe('entitlement_check_failed');
  expect(refusal).toBeInstanceOf(ServiceError);
});

test('a use of a key is noted, at most once a minute', async () => {
  await seed(store);
  await admit();
  await expect.poll(async () => (await store.apiKeys.get('key-1'))?.lastUsedAtMs).toBe(startMs);
  now += 59_999;
  await admit();
  expect((await store.apiKeys.get('key-1'))?.lastUsedAtMs).toBe(startMs);
});
