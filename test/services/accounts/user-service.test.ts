import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type AccountHarness, createPeople, openAccounts, violationsOf } from './harness.ts';

let harness: AccountHarness;

beforeEach(() => {
  harness = openAccounts();
});

afterEach(() => harness.store.close());

describe('users', () => {
  test('are created active, as members, unable to sign in unless a password is given', async () => {
    const { organization, user } = await createPeople(harness);
    expect(user).toMatchObject({
      organizationId: organization.id,
      role: 'member',
      active: true,
      passwordHash: null,
      usageLimit: null,
      models: [],
    });
    const input = { organizationId: organization.id, email: 'b@example.com', name: 'B' };
    const other = await harness.services.users.create({ ...input, password: 'twelve chars' }, 'cli');
    expect(other.passwordHash).toBe('hash of twelve chars');
  });

  test('have an e-mail address in lower case that nobody else has', async () => {
    const { organization, user } = await createPeople(harness);
    const { users } = harness.services;
    const input = { organizationId: organization.id, name: 'B' };
    const taken = ['/email is taken by another user'];
    expect(await violationsOf(users.create({ ...input, email: ' ADA@Example.com ' }, 'cli'))).toEqual(taken);
    const other = await users.create({ ...input, email: 'Bob@Example.com' }, 'cli');
    expect(other.email).toBe('bob@example.com');
    expect(await violationsOf(users.update(other.id, { email: 'Ada@example.com' }, 'cli'))).toEqual(taken);
    expect((await users.update(user.id, { email: 'ADA@example.com' }, 'cli')).email).toBe('ada@example.com');
  });

  test.for([
    ['email', 'ada'],
    ['email', 'a b@example.com'],
    ['email', 'a@b@c'],
    ['email', `${'a'.repeat(65)}@example.com`],
    ['name', ''],
    ['password', 'short'],
    ['password', 'x'.repeat(1_025)],
    ['role', 'owner'],
    ['active', 1],
    ['usageLimit', { unit: 'tokens', limit: 5, window: 'week' }],
    ['models', [1]],
  ] as const)('refuse %s %j, naming the field', async ([field, value]) => {
    const { user } = await createPeople(harness);
    const pointer = `/${field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}`;
    const violations = await violationsOf(harness.services.users.update(user.id, { [field]: value }, 'cli'));
    expect(violations).toEqual([expect.stringMatching(`^${pointer} `)]);
  });

  test('need an organization that exists, an address and a name', async () => {
    const { users } = harness.services;
    expect(
      await violationsOf(users.create({ organizationId: 'x', email: 'a@b.c', name: 'A' }, 'cli')),
    ).toEqual(['/organization_id names no organization']);
    expect(await violationsOf(users.create({}, 'cli'))).toEqual(['/organization_id is required']);
    expect(await violationsOf(users.create({ organizationId: 'x' }, 'cli'))).toEqual(['/email is required']);
    expect(await violationsOf(users.create({ organizationId: 'x', email: 'a@b' }, 'cli'))).toEqual([
      '/name is required',
    ]);
  });

  test("may use only their organization's models", async () => {
    const { organization, user } = await createPeople(harness);
    await harness.services.organizations.update(organization.id, { models: ['gpt-a'] }, 'cli');
    const { users } = harness.services;
    expect(await violationsOf(users.update(user.id, { models: ['gpt-b'] }, 'cli'))).toHaveLength(1);
    expect((await users.update(user.id, { models: ['gpt-a'] }, 'cli')).models).toEqual(['gpt-a']);
  });

  test('leave audit events that hold no password', async () => {
    const { user } = await createPeople(harness);
    const { users, audit } = harness.services;
    await users.update(user.id, { password: 'correct horse battery' }, 'cli');
    await users.update(user.id, { password: null, active: false }, 'cli');
    const { data } = await audit.list({}, {});
    expect(data.map(({ changes }) => changes)).toEqual(
      expect.arrayContaining([{ password: 'set' }, { password: 'removed', active: false }]),
    );
    expect(JSON.stringify(data)).not.toContain('horse');
    expect((await users.get(user.id)).passwordHash).toBeNull();
  });

  test('that do not exist are not found', async () => {
    const { users } = harness.services;
    await expect(users.get('none')).rejects.toMatchObject({ slug: 'not_found' });
    await expect(users.update('none', { name: 'x' }, 'cli')).rejects.toMatchObject({ slug: 'not_found' });
  });
});
