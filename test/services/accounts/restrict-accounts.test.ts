import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { operatorOrganizationId } from '../../../src/domain/operator.ts';
import type { Organization, User } from '../../../src/domain/organization.ts';
import type { AccountServices } from '../../../src/services/accounts/account-services.ts';
import { restrictAccounts } from '../../../src/services/accounts/restrict-accounts.ts';
import { anOrganization, aUser } from '../../contract/records.ts';
import { type AccountHarness, openAccounts, violationsOf } from './harness.ts';

interface Tenant {
  readonly organization: Organization;
  readonly administrator: User;
  readonly keyId: string;
  readonly connectionId: string;
  readonly accounts: AccountServices;
}

let harness: AccountHarness;
let ours: Tenant;
let theirs: Tenant;
let operator: AccountServices;

beforeEach(async () => {
  harness = openAccounts();
  await harness.store.organizations.create(anOrganization({ id: operatorOrganizationId, name: 'Operator' }));
  const root = aUser({ id: 'root', organizationId: operatorOrganizationId, role: 'admin' });
  await harness.store.users.create(root);
  operator = restrictAccounts(harness.services, root);
  ours = await createTenant('ours');
  theirs = await createTenant('theirs');
});
afterEach(() => harness.store.close());

async function createTenant(name: string): Promise<Tenant> {
  const { organizations, users, apiKeys, connections } = harness.services;
  const organization = await organizations.create({ name }, 'cli');
  const organizationId = organization.id;
  const input = { organizationId, email: `${name}@example.com`, name, role: 'admin' };
  const administrator = await users.create(input, 'cli');
  const key = { organizationId, actorId: administrator.id, scopes: ['chat'] };
  const { apiKey } = await apiKeys.create(key, 'cli');
  const { connection } = await connections.create({ organizationId, ...tracker }, 'cli');
  return {
    organization,
    administrator,
    keyId: apiKey.id,
    connectionId: connection.id,
    accounts: restrictAccounts(harness.services, administrator),
  };
}

const person = { email: 'new@example.com', name: 'New' };
const settings = { site: 'https://t.example.com', email: 'a@example.com', token: 'x' };
const tracker = { name: 'Tracker', kind: 'jira', settings };

/** All that a caller can see of a failure. */
async function failureOf(call: Promise<unknown>) {
  const error = await call.then(
    () => undefined,
    (reason: unknown) => reason as { slug: string; detail: string; status?: number },
  );
  if (error === undefined) throw new Error('the call was not refused');
  return { slug: error.slug, detail: error.detail, status: error.status };
}

type Crossing = readonly [
  name: string,
  call: (accounts: AccountServices, id: string, user: string) => Promise<unknown>,
  kind: keyof Ids,
];

/** Every call that names a record; `user` is one of the organization that is meant. */
const crossings: readonly Crossing[] = [
  ['read an organization', (to, id) => to.organizations.get(id), 'organization'],
  ['change an organization', (to, id) => to.organizations.update(id, { name: 'x' }, 'u'), 'organization'],
  [
    'suspend an organization',
    (to, id) => to.organizations.update(id, { suspended: true }, 'u'),
    'organization',
  ],
  ['read a user', (to, id) => to.users.get(id), 'user'],
  ['change a user', (to, id) => to.users.update(id, { name: 'x' }, 'u'), 'user'],
  ["set a user's password", (to, id) => to.users.update(id, { password: 'a'.repeat(12) }, 'u'), 'user'],
  ['create a user', (to, id) => to.users.create({ organizationId: id, ...person }, 'u'), 'organization'],
  ['read a key', (to, id) => to.apiKeys.get(id), 'key'],
  ['change a key', (to, id) => to.apiKeys.update(id, { name: 'x' }, 'u'), 'key'],
  ['rotate a key', (to, id) => to.apiKeys.rotate(id, 'u'), 'key'],
  ['revoke a key', (to, id) => to.apiKeys.revoke(id, 'u'), 'key'],
  [
    'create a key',
    (to, id, user) => to.apiKeys.create({ organizationId: id, actorId: user, scopes: ['chat'] }, 'u'),
    'organization',
  ],
  ['read a connection', (to, id) => to.connections.get(id), 'connection'],
  ['test a connection', (to, id) => to.connections.test(id, 'u'), 'connection'],
  ['delete a connection', (to, id) => to.connections.delete(id, 'u'), 'connection'],
  [
    'create a connection of an organization',
    (to, id) => to.connections.create({ organizationId: id, ...tracker }, 'u'),
    'organization',
  ],
  [
    'create a connection of a user',
    (to, id) => to.connections.create({ actorId: id, ...tracker }, 'u'),
    'user',
  ],
];

interface Ids {
  organization: string;
  user: string;
  key: string;
  connection: string;
}

const idsOf = ({ organization, administrator, keyId, connectionId }: Tenant): Ids => ({
  organization: organization.id,
  user: administrator.id,
  key: keyId,
  connection: connectionId,
});

/** Every record of the store but the audit trail's. */
async function snapshot() {
  const { organizations, users, apiKeys, connections } = harness.store;
  const page = { limit: 100 };
  return JSON.stringify([
    await organizations.list({}, page),
    await users.list({}, page),
    await apiKeys.list({}, page),
    await connections.list({}, page),
  ]);
}

describe('an administrator of an organization', () => {
  test.for(crossings)('cannot %s of another, which seems not to exist', async ([, call, kind]) => {
    const before = await snapshot();
    const foreign = idsOf(theirs)[kind];
    const { user } = idsOf(theirs);
    const failure = await failureOf(call(ours.accounts, foreign, user));
    const unknown = await failureOf(call(ours.accounts, 'nothing', user));
    expect(failure).toEqual({ ...unknown, detail: unknown.detail.replaceAll('nothing', foreign) });
    expect(await failureOf(call(harness.services, 'nothing', user))).toEqual(unknown);
    expect(await snapshot()).toBe(before);
  });

  test.for(crossings)('of the operator can %s of any', async ([, call, kind]) => {
    const ids = idsOf(theirs);
    await call(operator, ids[kind], ids.user);
  });

  test('sees the own records and no others', async () => {
    const { organizations, users, apiKeys, connections, audit } = ours.accounts;
    const { organization, user, key, connection } = idsOf(ours);
    const ids = async (page: Promise<{ data: readonly { id: string }[] }>) =>
      (await page).data.map(({ id }) => id);
    expect(await ids(organizations.list({}))).toEqual([organization]);
    expect(await ids(users.list({}, {}))).toEqual([user]);
    expect(await ids(apiKeys.list({}, {}))).toEqual([key]);
    expect(await ids(connections.list({}, {}))).toEqual([connection]);
    const events = (await audit.list({}, {})).data;
    expect(events.length).toBeGreaterThan(0);
    expect(new Set(events.map(({ organizationId }) => organizationId))).toEqual(new Set([organization]));
  });

  test('finds nothing under the name of another organization', async () => {
    const { users, apiKeys, connections, audit } = ours.accounts;
    const filter = { organizationId: theirs.organization.id };
    for (const service of [users, apiKeys, connections, audit]) {
      expect(await service.list(filter, {})).toEqual({ data: [] });
      await expect(service.list(filter, { limit: 0 })).rejects.toMatchObject({ slug: 'invalid_request' });
    }
    const byActor = { actorId: theirs.administrator.id };
    expect(await connections.list(byActor, {})).toEqual({ data: [] });
  });

  test('pages through the one organization', async () => {
    const { organizations } = ours.accounts;
    expect((await organizations.list({ cursor: 'x' })).data).toEqual([]);
    await expect(organizations.list({ limit: 101 })).rejects.toMatchObject({ slug: 'invalid_request' });
  });

  test('administers the own organization, under the own name', async () => {
    const { organizations, users, apiKeys, connections, audit } = ours.accounts;
    const { organization, user, key, connection } = idsOf(ours);
    await organizations.update(
      organization,
      { name: 'New', pinnedMode: 'simple', trackerWrites: true },
      user,
    );
    const member = { organizationId: organization, email: 'm@example.com', name: 'm' };
    const { id: actorId } = await users.create(member, user);
    await users.update(actorId, { active: false }, user);
    await apiKeys.create({ organizationId: organization, actorId, scopes: ['chat'] }, user);
    await apiKeys.rotate(key, user);
    await apiKeys.update(key, { name: 'x' }, user);
    await apiKeys.revoke(key, user);
    await connections.create({ actorId, ...tracker }, user);
    await connections.test(connection, user);
    await connections.delete(connection, user);
    const events = (await audit.list({}, {})).data.filter(({ actor }) => actor === user);
    expect(events.map(({ action }) => action).sort()).toEqual([
      'connection.create',
      'connection.delete',
      'connection.test',
      'key.create',
      'key.revoke',
      'key.rotate',
      'key.update',
      'organization.update',
      'user.create',
      'user.update',
    ]);
  });

  test('creates no organizations', async () => {
    expect(await failureOf(ours.accounts.organizations.create({ name: 'x' }, 'u'))).toMatchObject({
      status: 403,
    });
  });

  test.for<[string, unknown]>([
    ['models', ['a']],
    ['subscription', 'active'],
    ['trial', false],
    ['suspended', false],
    ['tokenPool', null],
    ['tokenPool', 1e12],
    ['poolResetDay', 2],
    ['usagePool', null],
  ])('does not set what the organization is sold: %s', async ([field, value]) => {
    const before = await snapshot();
    const change = { name: 'New', [field]: value };
    const failure = await failureOf(ours.accounts.organizations.update(ours.organization.id, change, 'u'));
    expect(failure.status).toBe(403);
    expect(await snapshot()).toBe(before);
    await operator.organizations.update(ours.organization.id, change, 'u');
  });

  test.for<[string, Record<string, unknown>]>([
    ['sqlite', { path: './data/service.db' }],
    ['postgres', { url: 'postgres://localhost/postgres' }],
    ['mysql', { url: 'mysql://localhost/mysql' }],
    ['imap', { host: 'localhost', user: 'u', password: 'p' }],
  ])("makes no connections into the operator's network: %s", async ([kind, settings]) => {
    const input = { organizationId: ours.organization.id, name: 'n', kind, settings };
    expect(await failureOf(ours.accounts.connections.create(input, 'u'))).toMatchObject({ status: 403 });
    const { connection } = await operator.connections.create(input, 'u');
    expect((await ours.accounts.connections.get(connection.id)).kind).toBe(kind);
  });

  test('sees the models that the organization may use', async () => {
    harness.models = ['a', 'b', 'c'];
    const ids = async () => (await ours.accounts.models.list()).map(({ id }) => id);
    expect(await ids()).toEqual(['a', 'b', 'c']);
    await operator.organizations.update(ours.organization.id, { models: ['c', 'a'] }, 'u');
    expect(await ids()).toEqual(['a', 'c']);
    expect(await operator.models.list()).toHaveLength(3);
  });

  test('is no operator for what the organization is called, nor a member of the operator’s organization', async () => {
    const organization = await harness.services.organizations.create({ name: 'Operator' }, 'cli');
    const namesake = aUser({ id: 'n', organizationId: organization.id, role: 'admin' });
    const member = aUser({ id: 'm', organizationId: operatorOrganizationId, role: 'member' });
    for (const user of [namesake, member]) {
      const { organizations } = restrictAccounts(harness.services, user);
      await expect(organizations.get(ours.organization.id)).rejects.toMatchObject({ slug: 'not_found' });
    }
  });

  test('names another’s organization in no other form', async () => {
    const own = ours.organization.id;
    for (const organizationId of [` ${own}`, own.toUpperCase(), [own], { toString: () => own }, null]) {
      const input = { organizationId, email: 'n@example.com', name: 'n' };
      expect(await violationsOf(ours.accounts.users.create(input, 'u'))).toEqual([
        '/organization_id names no organization',
      ]);
    }
  });
});
