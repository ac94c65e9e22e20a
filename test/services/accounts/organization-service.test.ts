import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type AccountHarness, openAccounts, violationsOf } from './harness.ts';

let harness: AccountHarness;

beforeEach(() => {
  harness = openAccounts();
});

afterEach(() => harness.store.close());

describe('organizations', () => {
  test('are created with documented defaults', async () => {
    const organization = await harness.services.organizations.create({ name: ' Example ' }, 'cli');
    expect(organization).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/),
      name: 'Example',
      models: [],
      subscription: 'active',
      trial: false,
      suspended: false,
      pinnedMode: null,
      tokenPool: null,
      poolResetDay: 1,
      usagePool: null,
      trackerSite: null,
      trackerWrites: false,
      wikiSite: null,
      wikiWrites: false,
      createdAtMs: harness.nowMs,
      updatedAtMs: harness.nowMs,
    });
    expect(await harness.services.organizations.get(organization.id)).toEqual(organization);
  });

  test('take every field, at creation and later, and give it back', async () => {
    const fields = {
      name: 'Example',
      models: ['gpt-a', 'gpt-b'],
      subscription: 'none',
      trial: true,
      suspended: true,
      pinnedMode: 'simple',
      tokenPool: 5,
      poolResetDay: 31,
      usagePool: { unit: 'requests', limit: 1_000, window: 'day' },
      trackerSite: 'https://example.atlassian.net',
      trackerWrites: true,
      wikiSite: 'https://example.atlassian.net/wiki',
      wikiWrites: true,
    };
    const { organizations } = harness.services;
    expect(await organizations.create(fields, 'cli')).toMatchObject(fields);
    const { id, createdAtMs } = await organizations.create({ name: 'Other' }, 'cli');
    harness.nowMs += 1_000;
    expect(await organizations.update(id, fields, 'cli')).toEqual({
      id,
      ...fields,
      createdAtMs,
      updatedAtMs: harness.nowMs,
    });
    const cleared = { pinnedMode: null, tokenPool: null, usagePool: null, trackerSite: null, models: [] };
    expect(await organizations.update(id, cleared, 'cli')).toMatchObject(cleared);
  });

  test.for([
    ['name', ''],
    ['name', 'x'.repeat(201)],
    ['name', 5],
    ['models', 'gpt-a'],
    ['models', ['']],
    ['subscription', 'paid'],
    ['trial', 'yes'],
    ['pinnedMode', 'read'],
    ['tokenPool', 0],
    ['tokenPool', 1.5],
    ['tokenPool', Number.NaN],
    ['poolResetDay', 0],
    ['poolResetDay', 32],
    ['usagePool', { unit: 'calls', limit: 1, window: 'day' }],
    ['usagePool', { unit: 'tokens', limit: 0, window: 'day' }],
    ['usagePool', { unit: 'tokens', limit: 1 }],
    ['usagePool', 'tokens:1/day'],
    ['trackerSite', 'http://example.com'],
    ['trackerSite', 'https://user:pw@example.com'],
    ['wikiSite', 'https://example.com/?q=1'],
    ['wikiSite', 'example.com'],
  ] as const)('refuse %s %j, naming the field', async ([field, value]) => {
    const pointer = `/${field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}`;
    const { organizations } = harness.services;
    const violations = await violationsOf(organizations.create({ name: 'Example', [field]: value }, 'cli'));
    expect(violations).toEqual([expect.stringMatching(`^${pointer} `)]);
    expect(await harness.store.organizations.isEmpty()).toBe(true);
  });

  test('name every field at fault at once, and a missing name', async () => {
    const { organizations } = harness.services;
    expect(
      await violationsOf(organizations.create({ name: '', trial: 1, poolResetDay: 99 }, 'cli')),
    ).toHaveLength(3);
    expect(await violationsOf(organizations.create({}, 'cli'))).toEqual(['/name is required']);
  });

  test('may use configured models only', async () => {
    harness.models = ['gpt-a', 'gpt-b'];
    const { organizations } = harness.services;
    const violations = await violationsOf(organizations.create({ name: 'E', models: ['gpt-a', 'x'] }, 'cli'));
    expect(violations).toEqual(['/models names x; the configured models are gpt-a, gpt-b']);
    await organizations.create({ name: 'E', models: ['gpt-b'] }, 'cli');
  });

  test('that do not exist are not found', async () => {
    const { organizations } = harness.services;
    await expect(organizations.get('none')).rejects.toMatchObject({ slug: 'not_found' });
    await expect(organizations.update('none', {}, 'cli')).rejects.toMatchObject({ slug: 'not_found' });
    expect((await harness.services.audit.list({}, {})).data).toEqual([]);
  });

  test('leave an audit event for every change', async () => {
    const { organizations, audit } = harness.services;
    const { id } = await organizations.create({ name: 'Example' }, 'cli');
    harness.nowMs += 1;
    await organizations.update(id, { suspended: true }, 'user-7');
    const { data } = await audit.list({ organizationId: id }, {});
    expect(data).toMatchObject([
      { action: 'organization.update', actor: 'user-7', subjectId: id, changes: { suspended: true } },
      {
        action: 'organization.create',
        actor: 'cli',
        subjectType: 'organization',
        changes: { name: 'Example' },
      },
    ]);
  });

  test('are listed by pages of 1 to 100, 25 unless said', async () => {
    const { organizations } = harness.services;
    for (let index = 0; index < 30; index += 1) await organizations.create({ name: `O${index}` }, 'cli');
    const first = await organizations.list({});
    expect(first.data).toHaveLength(25);
    const second = await organizations.list({ cursor: first.nextCursor ?? '' });
    expect(second.data).toHaveLength(5);
    expect(second.nextCursor).toBeUndefined();
    for (const limit of [0, 101, 1.5]) {
      expect(await violationsOf(organizations.list({ limit }))).toEqual([expect.stringMatching('^/limit ')]);
    }
  });
});
