import { timestampDate, timestampFromMs } from '@bufbuild/protobuf/wkt';
import { type Client, createClient, createRouterTransport } from '@connectrpc/connect';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { AdminService } from '../../../gen/service/admin/v1/admin_pb.ts';
import { createMemoryRateCounter } from '../../../src/counters/memory/rate-counter.ts';
import { ServiceError } from '../../../src/domain/errors.ts';
import { createAdminRpc } from '../../../src/rpc/admin/admin-service.ts';
import { type AccountHarness, openAccounts } from '../../services/accounts/harness.ts';

let harness: AccountHarness;
let admin: Client<typeof AdminService>;
let failures: unknown[];

beforeEach(() => {
  harness = openAccounts(createMemoryRateCounter());
  failures = [];
  const transport = createRouterTransport(
    (router) =>
      router.service(
        AdminService,
        createAdminRpc(() => ({ ...harness.services, by: 'user-7' })),
      ),
    {
      router: {
        interceptors: [
          (next) => async (request) => {
            try {
              return await next(request);
            } catch (error) {
              failures.push(error);
              throw error;
            }
          },
        ],
      },
    },
  );
  admin = createClient(AdminService, transport);
});

afterEach(() => harness.store.close());

async function createPeople() {
  const { organization } = await admin.createOrganization({ name: 'Example' });
  const organizationId = organization?.id ?? '';
  const { user } = await admin.createUser({ organizationId, email: 'ada@example.com', name: 'Ada' });
  return { organizationId, actorId: user?.id ?? '' };
}

/** The pointers that a refused call named. */
async function pointersOf(call: Promise<unknown>): Promise<string[]> {
  await expect(call).rejects.toThrow();
  const failure = failures.at(-1);
  if (!(failure instanceof ServiceError) || failure.slug !== 'invalid_request') throw failure;
  return failure.violations.map(({ pointer }) => pointer);
}

describe('organizations over RPC', () => {
  test('take and show every field', async () => {
    const fields = {
      name: 'Example',
      models: ['a'],
      subscription: 'none',
      trial: true,
      suspended: true,
      pinnedMode: 'technical',
      tokenPool: 9_007_199_254_740n,
      poolResetDay: 31,
      usagePool: { unit: 'tokens', limit: 5n, window: 'month' },
      trackerSite: 'https://t.example',
      trackerWrites: true,
      wikiSite: 'https://w.example',
      wikiWrites: true,
    };
    const { organization } = await admin.createOrganization(fields);
    expect(organization).toMatchObject(fields);
    expect(organization?.createdAt && timestampDate(organization.createdAt)).toEqual(new Date(harness.nowMs));
    const { organization: plain } = await admin.createOrganization({ name: 'Plain' });
    expect(plain).toMatchObject({ subscription: 'active', poolResetDay: 1, models: [], trial: false });
    for (const field of ['pinnedMode', 'tokenPool', 'usagePool', 'trackerSite', 'wikiSite'] as const) {
      expect(plain?.[field]).toBeUndefined();
    }
    const updated = await admin.updateOrganization({ id: plain?.id ?? '', ...fields });
    expect(updated.organization).toMatchObject(fields);
    expect((await admin.getOrganization({ id: plain?.id ?? '' })).organization).toEqual(updated.organization);
  });

  test('keep what an update does not name, and lose what it takes away', async () => {
    const { organization } = await admin.createOrganization({
      name: 'Example',
      models: ['a'],
      tokenPool: 5n,
      pinnedMode: 'simple',
      trackerSite: 'https://t.example',
      usagePool: { unit: 'tokens', limit: 5n, window: 'month' },
      suspended: true,
    });
    const id = organization?.id ?? '';
    const renamed = await admin.updateOrganization({ id, name: 'Renamed' });
    expect(renamed.organization).toEqual({ ...organization, name: 'Renamed' });
    const { organization: cleared } = await admin.updateOrganization({
      id,
      setModels: true,
      tokenPool: 0n,
      pinnedMode: '',
      trackerSite: '',
      clearUsagePool: true,
      suspended: false,
    });
    expect(cleared).toMatchObject({ models: [], suspended: false });
    for (const field of ['tokenPool', 'pinnedMode', 'trackerSite', 'usagePool'] as const) {
      expect(cleared?.[field]).toBeUndefined();
    }
  });

  test('are held to the same rules as on the command line', async () => {
    const wrong = {
      name: '',
      poolResetDay: 32,
      usagePool: { unit: 'x', limit: 0n, window: '' },
      pinnedMode: 'x',
    };
    expect(await pointersOf(admin.createOrganization(wrong))).toEqual([
      '/name',
      '/pinned_mode',
      '/pool_reset_day',
      '/usage_pool',
    ]);
    expect(await pointersOf(admin.createOrganization({ name: 'A', tokenPool: 2n ** 60n }))).toEqual([
      '/token_pool',
    ]);
  });

  test('come by pages', async () => {
    for (const name of ['O0', 'O1', 'O2']) {
      await admin.createOrganization({ name });
      harness.nowMs += 1;
    }
    const first = await admin.listOrganizations({ limit: 2 });
    expect(first.data.map(({ name }) => name)).toEqual(['O0', 'O1']);
    expect(first.hasMore).toBe(true);
    const second = await admin.listOrganizations({ limit: 2, cursor: first.nextCursor });
    expect(second).toMatchObject({ hasMore: false, nextCursor: '' });
    expect(second.data.map(({ name }) => name)).toEqual(['O2']);
    expect(await pointersOf(admin.listOrganizations({ limit: 0 }))).toEqual(['/limit']);
    expect(await pointersOf(admin.listOrganizations({ cursor: 'x' }))).toEqual(['/cursor']);
  });
});

describe('users over RPC', () => {
  test('take and show every field but the password', async () => {
    const { organizationId } = await createPeople();
    const fields = {
      organizationId,
      email: 'b@example.com',
      name: 'B',
      role: 'admin',
      models: ['a'],
      usageLimit: { unit: 'requests', limit: 7n, window: 'hour' },
    };
    const { user } = await admin.createUser({ ...fields, password: 'correct horse battery' });
    expect(user).toMatchObject({ ...fields, active: true });
    expect(
      JSON.stringify(user, (_, value) => (typeof value === 'bigint' ? Number(value) : value)),
    ).not.toContain('hash');
    expect((await harness.store.users.get(user?.id ?? ''))?.passwordHash).toBe(
      'hash of correct horse battery',
    );
    const id = user?.id ?? '';
    const { user: updated } = await admin.updateUser({
      id,
      active: false,
      clearUsageLimit: true,
      setModels: true,
    });
    expect(updated).toMatchObject({ active: false, models: [], email: 'b@example.com' });
    expect(updated?.usageLimit).toBeUndefined();
    expect((await admin.getUser({ id })).user).toEqual(updated);
    expect((await admin.listUsers({ organizationId })).data).toHaveLength(2);
    expect((await admin.listUsers({ organizationId: 'none' })).data).toEqual([]);
  });
});

describe('keys over RPC', () => {
  test('are shown once, at creation and rotation', async () => {
    const people = await createPeople();
    const expiresAt = timestampFromMs(harness.nowMs + 1_000);
    const fields = { ...people, name: 'n', scopes: ['pdf'], models: ['a'], rateLimitPerHour: 5, expiresAt };
    const created = await admin.createApiKey({ ...fields, tokenBudget: 3n });
    expect(created.key).toMatch(/^svc_live_/);
    expect(created.apiKey).toMatchObject({
      ...fields,
      id: created.id,
      tokenBudget: 3n,
      hint: created.key.slice(-4),
      requestsThisHour: 0n,
      tokensThisCycle: 0n,
    });
    const { id } = created;
    expect((await admin.getApiKey({ id })).apiKey).toEqual(created.apiKey);
    expect((await admin.listApiKeys({ organizationId: people.organizationId })).data).toEqual([
      created.apiKey,
    ]);
    const rotated = await admin.rotateApiKey({ id });
    expect(rotated).toMatchObject({ id, key: expect.stringMatching(/^svc_live_/) });
    expect(rotated.key).not.toBe(created.key);
    expect((await admin.revokeApiKey({ id })).apiKey?.revokedAt).toEqual(timestampFromMs(harness.nowMs));
  });

  test('keep what an update does not name, and lose what it takes away', async () => {
    const people = await createPeople();
    const expiresAt = timestampFromMs(harness.nowMs + 1_000);
    const { id, apiKey } = await admin.createApiKey({ ...people, scopes: ['pdf'], models: ['a'], expiresAt });
    expect(apiKey?.tokenBudget).toBe(5_000_000n);
    expect((await admin.updateApiKey({ id, name: 'n' })).apiKey).toEqual({ ...apiKey, name: 'n' });
    const changes = { noTokenBudget: true, clearExpiresAt: true, setModels: true, scopes: ['chat'] };
    const { apiKey: changed } = await admin.updateApiKey({ id, ...changes });
    expect(changed).toMatchObject({ scopes: ['chat'], models: [] });
    expect(changed?.tokenBudget).toBeUndefined();
    expect(changed?.expiresAt).toBeUndefined();
    expect(await pointersOf(admin.createApiKey(people))).toEqual(['/scopes']);
  });
});

describe('connections, models and the audit trail over RPC', () => {
  test('a connection takes its settings by their names in JSON and shows none of its credentials', async () => {
    const { actorId, organizationId } = await createPeople();
    const { connection, test: result } = await admin.createConnection({
      actorId,
      name: 'Mail',
      kind: 'graph',
      settings: { tenant_id: 't', client_id: 'c', client_secret: 'SECRET', user: 'ada@example.com' },
    });
    expect(result).toMatchObject({ ok: true, detail: 'fine' });
    expect(connection).toMatchObject({ actorId, name: 'Mail', kind: 'graph', active: true });
    expect(connection?.organizationId).toBeUndefined();
    const id = connection?.id ?? '';
    const page = await admin.listConnections({ organizationId });
    expect(page.data).toEqual([connection]);
    expect((await admin.testConnection({ id })).test).toMatchObject({ ok: true });
    await admin.deleteConnection({ id });
    expect((await admin.listConnections({})).data).toEqual([]);
    const path = { path: '/x' };
    const shared = await admin.createConnection({
      organizationId,
      name: 'C',
      kind: 'sqlite',
      settings: path,
    });
    expect(shared.connection).toMatchObject({ organizationId });
    expect(shared.connection?.actorId).toBeUndefined();
  });

  test('the configured models are listed with their sizes', async () => {
    harness.models = ['gpt-a', 'gpt-b'];
    expect((await admin.listModels({})).data).toMatchObject([
      { id: 'gpt-a', contextTokens: 8_000n, completionTokensMax: 1_000n },
      { id: 'gpt-b' },
    ]);
  });

  test('every change names its administrator', async () => {
    const { organizationId } = await createPeople();
    harness.nowMs += 1;
    await admin.updateOrganization({ id: organizationId, tokenPool: 5n });
    const { data } = await admin.listAuditEvents({ organizationId, limit: 1 });
    expect(data).toMatchObject([
      {
        actor: 'user-7',
        action: 'organization.update',
        subjectType: 'organization',
        subjectId: organizationId,
        changes: { token_pool: 5 },
      },
    ]);
  });

  test('what does not exist is not found', async () => {
    await expect(admin.getUser({ id: 'none' })).rejects.toThrow();
    expect(failures.at(-1)).toMatchObject({ slug: 'not_found' });
  });
});
