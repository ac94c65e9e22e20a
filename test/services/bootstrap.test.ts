import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { hashApiKeyToken, isApiKeyToken } from '../../src/domain/api-key-token.ts';
import { scopes } from '../../src/domain/scopes.ts';
import { systemRandom } from '../../src/ports/random.ts';
import type { Store } from '../../src/ports/store.ts';
import { bootstrap } from '../../src/services/bootstrap.ts';
import { anOrganization } from '../contract/records.ts';
import type { StorePlace } from '../contract/store-contract.ts';
import { createSqlitePlace, openStore } from '../storage/sqlite/opener.ts';

let place: StorePlace;
const stores: Store[] = [];

beforeEach(async () => {
  place = await createSqlitePlace();
});

afterEach(async () => {
  for (const store of stores.splice(0)) await store.close();
  await place.remove();
});

async function open(): Promise<Store> {
  const store = await openStore(place.location);
  stores.push(store);
  return store;
}

function start(store: Pick<Store, 'organizations' | 'users' | 'apiKeys'>) {
  return bootstrap({
    store,
    passwords: { hash: async (password) => `hash of ${password}`, verify: async () => false },
    clock: { now: () => 1_000 },
    random: systemRandom,
  });
}

async function everything(store: Store) {
  const page = { limit: 100 };
  return {
    organizations: (await store.organizations.list({}, page)).data,
    users: (await store.users.list({}, page)).data,
    apiKeys: (await store.apiKeys.list({}, page)).data,
  };
}

describe('the first start', () => {
  test('creates an organization, an administrator and a key with every scope', async () => {
    const store = await open();
    const result = await start(store);
    const { key = '', id } = result?.apiKey ?? {};
    expect(isApiKeyToken(key)).toBe(true);
    const principal = await store.apiKeys.findPrincipal(hashApiKeyToken(key));
    expect(principal).toMatchObject({
      apiKey: { id, scopes, revokedAtMs: null, expiresAtMs: null },
      actor: { role: 'admin', active: true, email: result?.administrator?.email },
      organization: { id: result?.organizationId, subscription: 'active', suspended: false, trial: false },
    });
    const password = result?.administrator?.password ?? '';
    expect(password.length).toBeGreaterThanOrEqual(20);
    expect(principal?.actor.passwordHash).toBe(`hash of ${password}`);
  });

  test('is the only one that creates anything', async () => {
    const store = await open();
    await start(store);
    const before = await everything(store);
    expect(await start(store)).toBeUndefined();
    expect(await everything(store)).toEqual(before);
  });

  test('leaves a store that somebody else filled alone', async () => {
    const store = await open();
    await store.organizations.create(anOrganization());
    expect(await start(store)).toBeUndefined();
    expect((await everything(store)).users).toEqual([]);
  });

  test('of several processes together creates each once, and shows each once', async () => {
    const results = await Promise.all(Array.from({ length: 4 }, async () => start(await open())));
    const store = await open();
    const { organizations, users, apiKeys } = await everything(store);
    expect([organizations.length, users.length, apiKeys.length]).toEqual([1, 1, 1]);
    const keys = results.flatMap((result) => (result?.apiKey ? [result.apiKey.key] : []));
    const passwords = results.flatMap((result) =>
      result?.administrator ? [result.administrator.password] : [],
    );
    expect(keys.map(hashApiKeyToken)).toEqual([apiKeys[0]?.keyHash]);
    expect(passwords.map((password) => `hash of ${password}`)).toEqual([users[0]?.passwordHash]);
  });

  test.for(['users', 'apiKeys'] as const)(
    'that was killed before %s is completed by the next',
    async (kind) => {
      const store = await open();
      const dying = {
        ...store,
        [kind]: { ...store[kind], create: () => Promise.reject(new Error('killed')) },
      };
      await expect(start(dying)).rejects.toThrow('killed');
      const result = await start(store);
      expect(result?.apiKey).toBeDefined();
      expect(result?.administrator === undefined).toBe(kind === 'apiKeys');
      expect(await start(store)).toBeUndefined();
      expect((await everything(store)).apiKeys).toHaveLength(1);
    },
  );
});
