import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/domain/chat.ts';
import type { ConnectionSettings } from '../../src/domain/connection.ts';
import type { Organization } from '../../src/domain/organization.ts';
import type { Scope } from '../../src/domain/scopes.ts';
import { systemRandom } from '../../src/ports/random.ts';
import { createAesGcmSealer } from '../../src/secrets/aes-gcm-sealer.ts';
import { sealConnectionSettings } from '../../src/services/accounts/connection-settings.ts';
import { openSqliteStore } from '../../src/storage/sqlite/open-sqlite-store.ts';
import { createLogger } from '../../src/telemetry/logger.ts';
import { type FakeUpstream, reply, startFakeUpstream, toolReply } from '../models/fake-upstream.ts';
import { seed, startMs, token } from '../service/seed.ts';
import { type RunningService, startService } from '../service/start-service.ts';
import { publishedSites } from './request-shape.ts';
import { type StubSites, startStubSites } from './stub-sites.ts';
import { account, cloudHost, cloudIssue, publishedCloud } from './tracker/published-jira.ts';
import { publishedCloud as publishedWiki, result } from './wiki/published-confluence.ts';

const site = `https://${cloudHost}`;
const secretsKey = Buffer.alloc(32, 7);
const searchScopes: readonly Scope[] = ['chat', 'tracker.write', 'wiki.write', 'mail.read'];
let sites: StubSites;
let service: RunningService | undefined;
let upstream: FakeUpstream | undefined;
let log: string;

beforeAll(async () => {
  sites = await startStubSites(cloudHost);
});
afterAll(() => sites.close());
beforeEach(() => {
  log = '';
  sites.requests.length = 0;
  const tracker = publishedSites(
    publishedCloud({
      pages: { '': { issues: [cloudIssue('OPS-1', 'Wrong VAT')] } },
      issues: { 'OPS-1': 'OPS-1' },
    }),
  );
  const wiki = publishedSites(publishedWiki({ '': { results: [result('101', 'DOCS')] } }));
  sites.handle = (request) => (request.path.startsWith('/wiki/') ? wiki : tracker)(request);
});
afterEach(async () => {
  await service?.stop();
  await upstream?.close();
  service = undefined;
  upstream = undefined;
});

interface Given {
  readonly organization?: Partial<Organization>;
  readonly scopes?: readonly Scope[];
  readonly connections?: readonly (ConnectionSettings & { readonly owner?: string })[];
  readonly env?: Readonly<Record<string, string>>;
}

const jira: ConnectionSettings = { kind: 'jira', site, ...account, projects: ['OPS'] };
const confluence: ConnectionSettings = { kind: 'confluence', site, ...account, spaces: [] };
const pinned = { trackerSite: site, wikiSite: site, trackerWrites: true, wikiWrites: true };

/** The whole service on a store with one key, whose actor has the given connections. */
async function start({
  organization = pinned,
  scopes = searchScopes,
  connections = [jira, confluence],
  env = {},
}: Given) {
  const store = openSqliteStore({ path: ':memory:' });
  await seed(store, { organization, apiKey: { scopes } });
  const sealer = createAesGcmSealer([secretsKey], systemRandom);
  for (const [index, { owner = 'user-1', ...settings }] of connections.entries()) {
    const id = `connection-${index}`;
    await store.connections.create({
      id,
      organizationId: 'org-1',
      actorId: owner,
      name: `C${index}`,
      kind: settings.kind,
      address: site,
      sealedSettings: sealConnectionSettings(sealer, id, settings as ConnectionSettings),
      active: true,
      testedAtMs: startMs,
      createdAtMs: startMs,
      updatedAtMs: startMs,
    });
  }
  const write = (line: string) => {
    log += line;
  };
  const logger = createLogger('trace', { write });
  service = await startService(
    { SECRETS_KEY: secretsKey.toString('base64'), ...env },
    { store, logger, connect: sites.connect },
  );
  return service;
}

async function chat(message: string, fields: JsonObject = {}) {
  const response = await fetch(`${service?.url}/v1/chat`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ message, ...fields }),
  });
  const body = (await response.json()) as {
    content: string;
    tool_calls: { name: string; args: JsonObject }[];
  };
  return { status: response.status, ...body };
}

describe('chat with the demonstration model', () => {
  test('searches and writes in the tracker and the wiki that the organization pinned', async () => {
    await start({});
    const asked = await chat(
      [
        '/tool search_issues {"text":"tax","state":"open"}',
        '/tool search_wiki {"text":"planes"}',
        '/tool create_issue {"project":"OPS","title":"Try it","description":"now"}',
        '/tool comment_page {"id":"101","text":"Thanks"}',
      ].join('\n'),
    );
    expect(asked.status).toBe(200);
    expect(asked.tool_calls.map(({ name }) => name)).toEqual([
      'search_issues',
      'search_wiki',
      'create_issue',
      'comment_page',
    ]);
    expect(asked.tool_calls[0]?.args).toEqual({ text: 'tax', state: 'open' });
    expect(asked.content).toContain('"key":"OPS-1","title":"Wrong VAT"');
    expect(asked.content).toContain('"title":"Travel policy","space":"DOCS"');
    expect(asked.content).toContain(`Created the issue OPS-7: ${site}/browse/OPS-7`);
    expect(asked.content).toContain('Commented on the page 101');
    const [first] = sites.requests;
    expect(first?.body).toMatchObject({
      jql: 'project in ("OPS") AND statusCategory != Done AND text ~ "tax" ORDER BY updated DESC',
    });
    expect(log).not.toContain('SECRET');
  });

  test('calls nothing that is not offered', async () => {
    await start({ organization: { ...pinned, trackerWrites: false }, scopes: ['chat', 'tracker.write'] });
    const asked = await chat('/tool create_issue {"project":"OPS","title":"x"}');
    expect(asked.content).toContain('A tool that you asked for is not offered. Offered are: search_issues.');
    expect(asked.tool_calls).toEqual([]);
    expect(sites.requests).toEqual([]);
  });

  test("never uses another actor's connection", async () => {
    await start({ connections: [{ ...jira, owner: 'user-2' }] });
    expect((await chat('/tool search_issues {}')).content).toContain('No tools are offered');
  });

  test('tells the model of a failure, and nobody of the credentials', async () => {
    await start({ connections: [{ ...jira, token: 'WRONG-SECRET' }] });
    const asked = await chat('/tool search_issues {"text":"tax"}');
    expect(asked.content).toContain('Error: Jira did not accept the credentials of the connection');
    expect(asked.content + log).not.toContain('SECRET');
    expect(asked.content + log).not.toContain(
      Buffer.from(`${account.email}:WRONG-SECRET`).toString('base64'),
    );
  });

  test('shows the samples to an organization that pinned them, and writes only where it may', async () => {
    await start({ organization: { trackerSite: 'demo', wikiSite: 'demo' }, connections: [] });
    const asked = await chat(
      '/tool search_issues {"text":"VAT"}\n/tool search_wiki {"text":"VAT"}\n/tool search_mail {"text":"Norwegian"}',
    );
    expect(asked.content).toContain('"key":"DEMO-6"');
    expect(asked.content).toContain('VAT rates by country');
    expect(asked.content).toContain('Re: Norwegian orders');
    expect((await chat('/tool create_issue {}')).content).toContain('not offered');
  });
});

describe('chat with a model server', () => {
  async function ask(given: Given, first = reply(['Hello'])) {
    upstream = await startFakeUpstream((_, number) => (number === 0 ? first : reply(['Done'])));
    await start({ ...given, env: { OPENAI_BASE_URL: upstream.baseUrl } });
    const asked = await chat('Hi', { model: 'fake' });
    return { asked, requests: upstream.requests.filter(({ body }) => body?.messages !== undefined) };
  }

  test('sends the tools that are offered, and no trace of the others', async () => {
    const { requests } = await ask({ organization: { ...pinned, wikiWrites: false } });
    const names = requests[0]?.body.tools.map((tool: { function: { name: string } }) => tool.function.name);
    expect(names).toEqual(['search_issues', 'create_issue', 'comment_issue', 'search_wiki']);
    expect(JSON.stringify(requests[0]?.body)).not.toMatch(/create_page|comment_page|search_mail|SECRET/);
  });

  test('sends no tools at all for a key that holds chat alone', async () => {
    const { requests } = await ask({ scopes: ['chat'] });
    expect(requests[0]?.body).not.toHaveProperty('tools');
  });

  test('refuses a call that the model invents, and tells it so', async () => {
    const call = { name: 'create_page', args: '{"space":"DOCS","title":"x","text":"x"}' };
    const { asked, requests } = await ask(
      { organization: { ...pinned, wikiWrites: false } },
      toolReply([call]),
    );
    expect(asked.tool_calls).toEqual([]);
    expect(requests[1]?.body.messages.at(-1)).toMatchObject({
      role: 'tool',
      content: expect.stringContaining('Error: there is no tool "create_page"; offered: search_issues'),
    });
    expect(sites.requests).toEqual([]);
  });

  test('gives the model what was found as data in a fence', async () => {
    const { requests } = await ask({}, toolReply([{ name: 'search_issues', args: '{"text":"tax"}' }]));
    const told: string = requests[1]?.body.messages.at(-1).content;
    expect(told).toMatch(
      /^Found 1 issue\. .*\n.*Others wrote it: .*\n----- BEGIN DATA [0-9a-f]{32} -----\n\{"key":"OPS-1"/,
    );
    expect(log).not.toContain('SECRET');
  });
});
