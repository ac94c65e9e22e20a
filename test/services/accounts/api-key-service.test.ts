import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createMemoryRateCounter } from '../../../src/counters/memory/rate-counter.ts';
import { hashApiKeyToken, isApiKeyToken } from '../../../src/domain/api-key-token.ts';
import { hourlyStep } from '../../../src/services/admission/hourly-limit.ts';
import { type AccountHarness, createPeople, openAccounts, violationsOf } from './harness.ts';

let harness: AccountHarness;
let base: { organizationId: string; actorId: string; scopes: string[] };

beforeEach(async () => {
  harness = openAccounts(createMemoryRateCounter());
  const { organization, user } = await createPeople(harness);
  base = { organizationId: organization.id, actorId: user.id, scopes: ['chat'] };
});

afterEach(() => harness.store.close());

describe('keys', () => {
  test('are created with documented defaults, and the key itself is stored nowhere', async () => {
    const { key, apiKey } = await harness.services.apiKeys.create(base, 'cli');
    expect(isApiKeyToken(key)).toBe(true);
    expect(apiKey).toMatchObject({
      ...base,
      name: '',
      keyHash: hashApiKeyToken(key),
      hint: key.slice(-4),
      models: [],
      rateLimitPerHour: 1_000,
      tokenBudget: 5_000_000,
      expiresAtMs: null,
      revokedAtMs: null,
      lastUsedAtMs: null,
    });
    const stored = await harness.store.apiKeys.findPrincipal(hashApiKeyToken(key));
    expect(stored?.apiKey.id).toBe(apiKey.id);
    expect(JSON.stringify(stored)).not.toContain(key);
    expect(JSON.stringify(await harness.services.audit.list({}, {}))).not.toContain(key);
  });

  test.for([
    ['scopes', []],
    ['scopes', ['chat', 'everything']],
    ['scopes', 'chat'],
    ['rateLimitPerHour', 0],
    ['rateLimitPerHour', 1_000_001],
    ['tokenBudget', -1],
    ['expiresAtMs', Number.NaN],
    ['models', [null]],
    ['organizationId', 'none'],
    ['actorId', 'none'],
  ] as const)('refuse %s %j, naming the field', async ([field, value]) => {
    const pointer = `/${field.replace('Ms', '').replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}`;
    const violations = await violationsOf(
      harness.services.apiKeys.create({ ...base, [field]: value }, 'cli'),
    );
    expect(violations).toEqual([expect.stringMatching(`^${pointer} `)]);
  });

  test.for([1, 1_000_000])('may have an hourly limit of %i', async (rateLimitPerHour) => {
    const { apiKey } = await harness.services.apiKeys.create({ ...base, rateLimitPerHour }, 'cli');
    expect(apiKey.rateLimitPerHour).toBe(rateLimitPerHour);
  });

  test('act on behalf of a user of their own organization', async () => {
    const other = await harness.services.organizations.create({ name: 'Other' }, 'cli');
    expect(
      await violationsOf(harness.services.apiKeys.create({ ...base, organizationId: other.id }, 'cli')),
    ).toEqual(['/actor_id names no user of the organization']);
  });

  test("may use only their organization's models, in the order that is given", async () => {
    await harness.services.organizations.update(base.organizationId, { models: ['a', 'b', 'c'] }, 'cli');
    const { apiKeys } = harness.services;
    const { apiKey } = await apiKeys.create({ ...base, models: ['c', 'a', 'c'] }, 'cli');
    expect(apiKey.models).toEqual(['c', 'a']);
    expect(await violationsOf(apiKeys.update(apiKey.id, { models: ['d'] }, 'cli'))).toEqual([
      "/models names d; the organization's are a, b, c",
    ]);
  });

  test('are changed field by field', async () => {
    const { apiKeys } = harness.services;
    const { apiKey } = await apiKeys.create(base, 'cli');
    harness.nowMs += 5;
    const changes = {
      scopes: ['pdf', 'excel'],
      tokenBudget: null,
      expiresAtMs: harness.nowMs + 1,
      name: 'n',
    };
    expect(await apiKeys.update(apiKey.id, changes, 'cli')).toMatchObject({
      ...apiKey,
      ...changes,
      updatedAtMs: harness.nowMs,
    });
    expect((await apiKeys.update(apiKey.id, { expiresAtMs: null }, 'cli')).expiresAtMs).toBeNull();
  });

  test('may be made with an end that has passed: such a key is refused from the start', async () => {
    const { apiKeys } = harness.services;
    const { apiKey } = await apiKeys.create({ ...base, expiresAtMs: harness.nowMs - 1 }, 'cli');
    expect(apiKey.expiresAtMs).toBe(harness.nowMs - 1);
  });

  test('when rotated keep their record and end the old key at once', async () => {
    const { apiKeys } = harness.services;
    const first = await apiKeys.create(base, 'cli');
    const second = await apiKeys.rotate(first.apiKey.id, 'cli');
    expect(second.apiKey.id).toBe(first.apiKey.id);
    expect(await harness.store.apiKeys.findPrincipal(hashApiKeyToken(first.key))).toBeUndefined();
    expect((await harness.store.apiKeys.findPrincipal(hashApiKeyToken(second.key)))?.apiKey.hint).toBe(
      second.key.slice(-4),
    );
  });

  test('when revoked stay revoked: again changes nothing, and there is no rotating', async () => {
    const { apiKeys, audit } = harness.services;
    const { apiKey } = await apiKeys.create(base, 'cli');
    const revokedAtMs = harness.nowMs;
    expect((await apiKeys.revoke(apiKey.id, 'cli')).revokedAtMs).toBe(revokedAtMs);
    harness.nowMs += 1_000;
    expect((await apiKeys.revoke(apiKey.id, 'cli')).revokedAtMs).toBe(revokedAtMs);
    expect(await violationsOf(apiKeys.rotate(apiKey.id, 'cli'))).toHaveLength(1);
    const revocations = (await audit.list({}, {})).data.filter(({ action }) => action === 'key.revoke');
    expect(revocations).toHaveLength(1);
  });

  test("show this hour's calls and this cycle's tokens", async () => {
    await harness.services.organizations.update(base.organizationId, { poolResetDay: 10 }, 'cli');
    const { apiKeys } = harness.services;
    const { apiKey } = await apiKeys.create(base, 'cli');
    const { rateCounter, clock } = harness.deps;
    await rateCounter?.takeSteps([hourlyStep(apiKey, 'hit')], clock.now());
    const nowMs = harness.nowMs;
    const account = { organizationId: base.organizationId, apiKeyId: apiKey.id, nowMs };
    const cycle = { ...account, cycleStartMs: Date.UTC(2026, 4, 10) };
    const leaseEndsAtMs = nowMs + 1;
    const limits = { keyLimit: null, poolLimit: null };
    await harness.store.ledger.reserve({ ...cycle, ...limits, reservationId: 'r', tokens: 9, leaseEndsAtMs });
    await harness.store.ledger.settle(cycle, 'r', 7);
    const usage = { requestsThisHour: 1, tokensThisCycle: 7 };
    expect(await apiKeys.get(apiKey.id)).toEqual({ ...apiKey, ...usage });
    expect((await apiKeys.list({ organizationId: base.organizationId }, {})).data).toEqual([
      { ...apiKey, ...usage },
    ]);
  });

  test('whose calls another process counts show no number of them', async () => {
    const elsewhere = openAccounts();
    const { organization, user } = await createPeople(elsewhere);
    const input = { organizationId: organization.id, actorId: user.id, scopes: ['chat'] };
    const { apiKey } = await elsewhere.services.apiKeys.create(input, 'cli');
    expect((await elsewhere.services.apiKeys.get(apiKey.id)).requestsThisHour).toBeNull();
    await elsewhere.store.close();
  });

  test('that do not exist are not found', async () => {
    const { apiKeys } = harness.services;
    for (const call of [
      () => apiKeys.get('none'),
      () => apiKeys.update('none', { name: 'x' }, 'cli'),
      () => apiKeys.rotate('none', 'cli'),
      () => apiKeys.revoke('none', 'cli'),
    ]) {
      await expect(call()).rejects.toMatchObject({ slug: 'not_found' });
    }
  });
});
