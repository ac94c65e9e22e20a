import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openConnectionSettings } from '../../../src/services/accounts/connection-settings.ts';
import { type AccountHarness, createPeople, openAccounts, violationsOf } from './harness.ts';

let harness: AccountHarness;
let organizationId: string;
let actorId: string;

beforeEach(async () => {
  harness = openAccounts();
  const people = await createPeople(harness);
  organizationId = people.organization.id;
  actorId = people.user.id;
});

afterEach(() => harness.store.close());

const site = { site: 'https://example.atlassian.net/', email: 'Ada@example.com', token: 'SECRET' };

describe('connections', () => {
  test.for([
    ['sqlite', { path: '/data/sales.db' }, {}, '/data/sales.db'],
    ['postgres', { url: 'postgres://u:SECRET@db:5432/sales?x=SECRET' }, {}, 'postgres://db:5432/sales'],
    ['mysql', { url: 'mysql://u:SECRET@db/sales' }, {}, 'mysql://db/sales'],
    [
      'jira',
      { ...site, projects: ['ops', 'OPS', 'WEB'] },
      { site: 'https://example.atlassian.net', email: 'ada@example.com', projects: ['OPS', 'WEB'] },
      'https://example.atlassian.net',
    ],
    [
      'confluence',
      site,
      { site: 'https://example.atlassian.net', email: 'ada@example.com', spaces: [] },
      'https://example.atlassian.net',
    ],
    [
      'imap',
      { host: 'mail.example.com', user: 'ada', password: 'SECRET' },
      { port: 993, tls: true },
      'imaps://mail.example.com:993/ada',
    ],
    [
      'imap',
      { host: 'mail.example.com', port: 143, user: 'ada', password: 'SECRET', tls: false },
      {},
      'imap://mail.example.com:143/ada',
    ],
    [
      'graph',
      { tenantId: 't', clientId: 'c', clientSecret: 'SECRET', user: 'ada@example.com' },
      {},
      'https://graph.microsoft.com/v1.0/users/ada@example.com',
    ],
    [
      'gmail',
      { clientId: 'c', clientSecret: 'SECRET', refreshToken: 'SECRET', user: 'ada@example.com' },
      {},
      'https://gmail.googleapis.com/gmail/v1/users/ada@example.com',
    ],
  ] as const)(
    'of kind %s keep %j sealed and show where they lead',
    async ([kind, settings, read, address]) => {
      const { connections, audit } = harness.services;
      const { connection, test: result } = await connections.create(
        { actorId, name: 'C', kind, settings },
        'cli',
      );
      expect(result).toEqual({ ok: true, detail: 'fine' });
      expect(connection).toMatchObject({ organizationId, actorId, kind, address, active: true });
      expect(connection.testedAtMs).toBe(harness.nowMs);
      expect(openConnectionSettings(harness.deps.sealer, connection)).toEqual({ kind, ...settings, ...read });
      const everything = JSON.stringify([await connections.list({}, {}), await audit.list({}, {})]);
      expect(everything).not.toContain('SECRET');
    },
  );

  test.for([
    ['sqlite', {}, '/path is required'],
    ['sqlite', { path: '/x', url: 'postgres://h/d' }, '/url is no setting'],
    ['postgres', { url: 'mysql://h/d' }, '/url must be'],
    ['postgres', { url: 'not a url' }, '/url must be'],
    ['jira', { ...site, site: 'http://example.com' }, '/site must be'],
    ['jira', { site: site.site, email: site.email }, '/token is required'],
    ['jira', { ...site, projects: ['A" OR key > "'] }, '/projects has an entry ".+" that must'],
    ['confluence', { ...site, spaces: ['A B'] }, '/spaces has an entry "A B" that must'],
    ['imap', { host: 'h', user: 'u', password: 'p', port: 0 }, '/port must be'],
    ['imap', { host: 'h', user: 'u', password: 'p', tls: 'no' }, '/tls must be'],
    ['ftp', {}, '/kind must be'],
  ] as const)('of kind %s refuse %j: %s', async ([kind, settings, violation]) => {
    const input = { actorId, name: 'C', kind, settings };
    expect(await violationsOf(harness.services.connections.create(input, 'cli'))).toEqual([
      expect.stringMatching(`^${violation}`),
    ]);
    expect((await harness.store.connections.list({}, { limit: 1 })).data).toEqual([]);
  });

  test('belong to a user or to an organization, to one of them', async () => {
    const { connections } = harness.services;
    const input = { name: 'C', kind: 'sqlite', settings: { path: '/x' } };
    const { connection } = await connections.create({ ...input, organizationId }, 'cli');
    expect(connection).toMatchObject({ organizationId, actorId: null });
    expect(await violationsOf(connections.create(input, 'cli'))).toHaveLength(1);
    expect(await violationsOf(connections.create({ ...input, organizationId, actorId }, 'cli'))).toHaveLength(
      1,
    );
    expect(await violationsOf(connections.create({ ...input, actorId: 'none' }, 'cli'))).toEqual([
      '/actor_id names no user',
    ]);
    expect(await violationsOf(connections.create({ ...input, organizationId: 'none' }, 'cli'))).toEqual([
      '/organization_id names no organization',
    ]);
  });

  test('are active while their last test passed', async () => {
    const { connections } = harness.services;
    harness.testResult = { ok: false, detail: 'refused' };
    const input = { organizationId, name: 'C', kind: 'sqlite', settings: { path: '/x' } };
    const { connection } = await connections.create(input, 'cli');
    expect(connection.active).toBe(false);
    harness.testResult = { ok: true, detail: 'fine' };
    expect(await connections.test(connection.id, 'cli')).toEqual({ ok: true, detail: 'fine' });
    expect((await connections.get(connection.id)).active).toBe(true);
  });

  test('when deleted are gone, their credentials with them', async () => {
    const { connections, audit } = harness.services;
    const input = { organizationId, name: 'C', kind: 'sqlite', settings: { path: '/x' } };
    const { connection } = await connections.create(input, 'cli');
    harness.nowMs += 1;
    await connections.delete(connection.id, 'cli');
    await expect(connections.get(connection.id)).rejects.toMatchObject({ slug: 'not_found' });
    await expect(connections.delete(connection.id, 'cli')).rejects.toMatchObject({ slug: 'not_found' });
    await expect(connections.test(connection.id, 'cli')).rejects.toMatchObject({ slug: 'not_found' });
    expect((await audit.list({}, { limit: 1 })).data[0]).toMatchObject({ action: 'connection.delete' });
  });
});
