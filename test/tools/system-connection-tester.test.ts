import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createConnectionTester } from '../../src/compose/connection-tester.ts';
import { openSystems, type Systems } from '../../src/compose/systems.ts';
import type { ConnectionSettings } from '../../src/domain/connection.ts';
import { aConnection } from '../contract/records.ts';
import { publishedSites } from './request-shape.ts';
import { type StubSites, startStubSites } from './stub-sites.ts';
import { account, cloudHost, publishedCloud } from './tracker/published-jira.ts';

let sites: StubSites;
let systems: Systems;
const jira: ConnectionSettings = {
  kind: 'jira',
  site: `https://${cloudHost}`,
  ...account,
  projects: ['OPS'],
};

beforeAll(async () => {
  sites = await startStubSites(cloudHost);
});
afterAll(async () => {
  await systems.close();
  await sites.close();
});
beforeEach(async () => {
  await systems?.close();
  systems = openSystems({ privateHosts: new Set(), clock: { now: () => 0 }, connect: sites.connect });
  sites.handle = publishedSites(publishedCloud({ pages: {} }));
  sites.requests.length = 0;
});

function tried(settings: ConnectionSettings) {
  return createConnectionTester(systems).test(aConnection({ kind: settings.kind }), settings);
}

describe('the test of a connection', () => {
  test('passes when the account can sign in, and only reads', async () => {
    expect(await tried(jira)).toEqual({ ok: true, detail: 'signed in to Jira as Service Bot; reaches OPS' });
    expect(new Set(sites.requests.map(({ method }) => method))).toEqual(new Set(['GET']));
  });

  test.for([
    [{ ...jira, token: 'WRONG-SECRET' }, /did not accept the credentials/],
    [{ ...jira, projects: ['GONE'] }, /nothing of that name/],
    [{ ...jira, site: 'https://127.0.0.1' }, /not at a public address/],
    [
      { kind: 'imap', host: '10.0.0.5', port: 993, user: 'u', password: 'MAIL-SECRET', tls: true },
      /must be public/,
    ],
  ] as const)('answers, with no credentials, why %j does not work', async ([settings, detail]) => {
    const answer = await tried(settings as ConnectionSettings);
    expect(answer.ok).toBe(false);
    expect(answer.detail).toMatch(detail);
    expect(answer.detail).not.toContain('SECRET');
  });
});
