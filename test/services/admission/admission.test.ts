import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createMemoryRateCounter } from '../../../src/counters/memory/rate-counter.ts';
import { createApiKeyToken } from '../../../src/domain/api-key-token.ts';
import { ServiceError } from '../../../src/domain/errors.ts';
import type { RateCounter } from '../../../src/ports/counters.ts';
import type { Store } from '../../../src/ports/store.ts';
import { type Admission, createAdmission } from '../../../src/services/admission/admission.ts';
import { openSqliteStore } from '../../../src/storage/sqlite/open-sqlite-store.ts';
import { seed, startMs, token } from '../../service/seed.ts';

let store: Store;
let now: number;
let admission: Admission;
let counter: RateCounter;
/** The keys of each round trip to the counter. */
let trips: string[][];

function open(
  overrides: Partial<Pick<Store, 'apiKeys' | 'ledger'>> = {},
  addressLimits = { requestsPerMinute: 5, authFailuresPerMinute: 2 },
) {
  trips = [];
  counter = createMemoryRateCounter();
  const watched: RateCounter = {
    ...counter,
    takeSteps(steps, nowMs) {
      trips.push(steps.map(({ kind, key }) => `${kind} ${key}`));
      return counter.takeSteps(steps, nowMs);
    },
  };
  return createAdmission({
    store: { apiKeys: store.apiKeys, ledger: store.ledger, ...overrides },
    rateCounter: watched,
    clock: { now: () => now },
    addressLimits,
    report: (message, cause) => {
      throw new Error(message, { cause });
    },
  });
}

const admit = (
  authorization: string | null = `Bearer ${token}`,
  scope: 'chat' | 'excel' | undefined = undefined,
) => admission.admit({ authorization, address: '192.0.2.1', scope });

const generous = { requestsPerMinute: 1_000, authFailuresPerMinute: 1_000 };
const throttled = { slug: 'ip_rate_limit_exceeded', retryAfterSeconds: 60 };
const ownSteps = ['peek auth:192.0.2.1', 'hit ip:192.0.2.1'];

/** What an address has used of its minute. */
async function usedBy(kind: 'ip' | 'auth'): Promise<number> {
  const { used } = await counter.peek(`${kind}:192.0.2.1`, { limit: 1_000, windowMs: 60_000 }, now);
  return used;
}

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
    await admit();
    await admit('Bearer b');
    expect(await admit()).toMatchObject({ standing: undefined, refusal: throttled });
    await expect(admission.throttle('192.0.2.1')).rejects.toMatchObject(throttled);
    await expect(admission.throttle('192.0.2.2')).resolves.toBeUndefined();
  });

  test('counts as a request and as a refused key at once', async () => {
    await seed(store);
    await admit('Bearer nonsense');
    expect(trips).toEqual([[...ownSteps, 'hit auth:192.0.2.1']]);
    expect([await usedBy('ip'), await usedBy('auth')]).toEqual([1, 1]);
  });
});

describe('an address', () => {
  test('is refused over its limit, and let in when the minute has passed', async () => {
    for (let count = 0; count < 5; count++) await admission.throttle('192.0.2.1');
    await expect(admission.throttle('192.0.2.1')).rejects.toMatchObject({ slug: 'ip_rate_limit_exceeded' });
    now += 60_000;
    await expect(admission.throttle('192.0.2.1')).resolves.toBeUndefined();
  });

  test('is counted by calls with a key as by all others, and refused before its key is looked at', async () => {
    await seed(store, { apiKey: { revokedAtMs: startMs } });
    await admission.throttle('192.0.2.1');
    await admit();
    expect(await usedBy('ip')).toBe(2);
    for (let count = 0; count < 3; count++) await admission.throttle('192.0.2.1');
    expect(await admit()).toMatchObject({ standing: undefined, refusal: throttled });
    expect(await usedBy('auth')).toBe(1);
  });

  test('is counted in the round trip of its key, whose own call is not counted when the address is refused', async () => {
    await seed(store);
    const verdicts = await Promise.all(Array.from({ length: 8 }, () => admit()));
    expect(trips[0]).toEqual([...ownSteps, 'hit key:key-1']);
    expect(verdicts.filter(({ refusal }) => refusal === undefined)).toHaveLength(5);
    const refused = verdicts.filter(({ refusal }) => refusal !== undefined);
    for (const verdict of refused) expect(verdict).toMatchObject({ standing: undefined, refusal: throttled });
    const hour = await counter.peek('key:key-1', { limit: 1_000, windowMs: 3_600_000 }, now);
    expect(hour.used).toBe(5);
  });

  test('that is refused costs neither the counter nor the store anything until its time has come', async () => {
    await seed(store);
    let looks = 0;
    const apiKeys: Store['apiKeys'] = {
      ...store.apiKeys,
      findPrincipal(keyHash) {
        looks += 1;
        return store.apiKeys.findPrincipal(keyHash);
      },
    };
    admission = open({ apiKeys });
    for (let count = 0; count < 6; count++) await admit();
    expect([looks, trips.length]).toEqual([6, 6]);
    now += 59_999;
    for (let count = 0; count < 100; count++) {
      expect((await admit()).refusal).toMatchObject({ ...throttled, retryAfterSeconds: 1 });
      await expect(admission.throttle('192.0.2.1')).rejects.toMatchObject({ slug: throttled.slug });
    }
    expect([looks, trips.length]).toEqual([6, 6]);
    now += 1;
    expect((await admit()).refusal).toBeUndefined();
    expect([looks, trips.length]).toEqual([7, 7]);
  });

  test('is counted while the store cannot be read', async () => {
    await seed(store);
    admission = open({
      apiKeys: { ...store.apiKeys, findPrincipal: () => Promise.reject(new Error('disk')) },
    });
    for (let count = 0; count < 5; count++) {
      expect((await admit()).refusal?.slug).toBe('entitlement_check_failed');
    }
    expect(trips).toHaveLength(5);
    expect((await admit()).refusal).toMatchObject(throttled);
    expect(await usedBy('auth')).toBe(0);
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
    expect(trips).toEqual([[...ownSteps, 'peek key:key-1']]);
    expect(await usedBy('ip')).toBe(1);
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
    admission = open({}, generous);
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

test('nobody is let in, nor told of a key, when the counter cannot be asked', async () => {
  await seed(store);
  counter.takeSteps = () => Promise.reject(new Error('connection lost'));
  for (const authorization of [`Bearer ${token}`, 'Bearer nonsense', null]) {
    expect(await admit(authorization)).toMatchObject({
      standing: undefined,
      refusal: { slug: 'entitlement_check_failed' },
    });
  }
  await expect(admission.throttle('192.0.2.1')).rejects.toMatchObject({ slug: 'entitlement_check_failed' });
});

test('a use of a key is noted, at most once a minute', async () => {
  await seed(store);
  await admit();
  await expect.poll(async () => (await store.apiKeys.get('key-1'))?.lastUsedAtMs).toBe(startMs);
  now += 59_999;
  await admit();
  expect((await store.apiKeys.get('key-1'))?.lastUsedAtMs).toBe(startMs);
});
