import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { MailQuery } from '../../../src/ports/mailbox.ts';
import { ToolFailure } from '../../../src/ports/tool.ts';
import { createAccessTokens } from '../../../src/tools/http/access-token.ts';
import { createCircuitBreaker } from '../../../src/tools/http/circuit-breaker.ts';
import {
  type MailParts,
  type MailSettings,
  openMailbox,
  testMailbox,
} from '../../../src/tools/mail/open-mailbox.ts';
import { publishedSites } from '../request-shape.ts';
import { type StubSites, startStubSites } from '../stub-sites.ts';
import { gmailSite, googleToken, graphSite, hosts, microsoftToken } from './published-mail.ts';

let sites: StubSites;
let nowMs = 0;
const { signal } = new AbortController();
const query: MailQuery = { terms: ['invoice'], folder: 'inbox', limit: 10 };
const graph: MailSettings = {
  kind: 'graph',
  tenantId: 'tenant-1',
  clientId: 'client-1',
  clientSecret: 'GRAPH-SECRET',
  user: 'ada@example.com',
};
const gmail: MailSettings = {
  kind: 'gmail',
  clientId: 'client-2',
  clientSecret: 'GMAIL-SECRET',
  refreshToken: 'REFRESH-SECRET',
  user: 'ada@example.com',
};

beforeAll(async () => {
  sites = await startStubSites(...hosts);
});
afterAll(() => sites.close());
beforeEach(() => {
  nowMs = 0;
  sites.requests.length = 0;
  const services = publishedSites(graphSite, gmailSite);
  sites.handle = (request) => {
    const token = [microsoftToken, googleToken].find(({ host }) => host === request.host);
    if (token === undefined) return services(request);
    return token.path.test(request.path) ? token.answer(request) : { status: 404 };
  };
});

function parts(): MailParts {
  const clock = { now: () => nowMs };
  const client = sites.client(clock);
  return {
    ...sites.connect,
    client,
    tokens: createAccessTokens(client, clock),
    breaker: createCircuitBreaker(clock),
  };
}

async function failureOf(work: Promise<unknown>): Promise<string> {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(ToolFailure);
  expect((error as Error).message).not.toMatch(/SECRET|token/);
  return (error as Error).message;
}

const calls = () => sites.requests.map(({ method, host, path }) => `${method} ${host}${path}`);

describe('a mailbox of Microsoft 365', () => {
  test('is searched with an application token, as text, page by page', async () => {
    const mailbox = openMailbox(parts(), graph);
    const first = await mailbox.search(query, signal);
    expect(calls()).toEqual([
      'POST login.microsoftonline.com/tenant-1/oauth2/v2.0/token',
      'GET graph.microsoft.com/v1.0/users/ada%40example.com/mailFolders/inbox/messages',
    ]);
    expect(sites.requests[1]?.headers.prefer).toBe('outlook.body-content-type="text"');
    expect(first).toEqual({
      rows: [
        {
          id: 'm1',
          subject: 'Invoices m1',
          from: 'Priya Raman <priya@example.com>',
          to: 'ada@example.com',
          date: '2026-05-05T07:31:00Z',
          unread: true,
          link: 'https://outlook.office365.com/owa/?ItemID=m1',
          text: 'Two are without a purchase order.',
        },
        expect.objectContaining({ id: 'm2', text: 'a\nb' }),
      ],
      nextCursor: '$skiptoken=R0usmci39OQxq/JN4HQ',
    });
    const second = await mailbox.search({ ...query, cursor: first.nextCursor ?? '' }, signal);
    expect(second).toEqual({
      rows: [expect.objectContaining({ id: 'm3', link: null, from: null, unread: false })],
    });
    // Of the next link only where to go on was kept, and the token was asked for once.
    expect(sites.requests[2]?.query.get('$search')).toBe('"\\"invoice\\""');
    expect(sites.requests[2]?.query.get('$skiptoken')).toBe('R0usmci39OQxq/JN4HQ');
    expect(sites.requests).toHaveLength(3);
  });

  test.for([
    ['inbox', '/mailFolders/inbox/messages'],
    ['sent', '/mailFolders/sentitems/messages'],
    ['archive', '/mailFolders/archive/messages'],
    ['all', '/messages'],
  ] as const)('has a folder %s', async ([folder, path]) => {
    await openMailbox(parts(), graph).search({ ...query, folder, terms: [], since: '2026-01-01' }, signal);
    expect(calls()[1]).toBe(`GET graph.microsoft.com/v1.0/users/ada%40example.com${path}`);
    expect(sites.requests[1]?.query.get('$filter')).toBe('receivedDateTime ge 2026-01-01T00:00:00Z');
  });

  test('asks for a new token a minute before the old one ends, and after one was refused', async () => {
    const mailbox = openMailbox(parts(), graph);
    await mailbox.search(query, signal);
    nowMs = 3_538_000;
    await mailbox.search(query, signal);
    expect(sites.requests).toHaveLength(3);
    nowMs = 3_539_000;
    await mailbox.search(query, signal);
    expect(sites.requests).toHaveLength(5);
    const answer = sites.handle;
    sites.handle = (request) => (request.host.startsWith('graph') ? { status: 401 } : answer(request));
    expect(await failureOf(mailbox.search(query, signal))).toContain('did not accept the credentials');
    sites.handle = answer;
    await mailbox.search(query, signal);
    expect(calls().slice(-2)[0]).toContain('POST login.microsoftonline.com');
  });

  test('is tested by looking at the inbox', async () => {
    expect(await testMailbox(parts(), graph, signal)).toEqual({
      ok: true,
      detail: 'reads the mailbox of ada@example.com through Microsoft Graph',
    });
    const wrong = { ...graph, clientSecret: 'WRONG-SECRET' };
    expect(await failureOf(testMailbox(parts(), wrong, signal))).toContain('did not accept the credentials');
    expect(await failureOf(testMailbox(parts(), { ...graph, tenantId: '../common' }, signal))).toContain(
      'sign-in',
    );
  });
});

describe('a mailbox of Gmail', () => {
  test('is searched with the consent of its user, mail by mail', async () => {
    const mailbox = openMailbox(parts(), gmail);
    const first = await mailbox.search(query, signal);
    expect(calls()).toEqual([
      'POST oauth2.googleapis.com/token',
      'GET gmail.googleapis.com/gmail/v1/users/me/messages',
      'GET gmail.googleapis.com/gmail/v1/users/me/messages/18f1',
    ]);
    expect(sites.requests[1]?.query.get('q')).toBe('in:inbox "invoice"');
    expect(first).toEqual({
      rows: [
        {
          id: '18f1',
          subject: 'Invoices',
          from: 'Priya Raman <priya@example.com>',
          to: 'ada@example.com',
          date: '2026-05-05T07:31:00.000Z',
          unread: true,
          link: 'https://mail.google.com/mail/?authuser=ada%40example.com#all/18f1',
          text: 'Two are without a purchase order – ÄÖÜ.',
        },
      ],
      nextCursor: '0912',
    });
    const second = await mailbox.search({ ...query, cursor: '0912' }, signal);
    expect(second).toEqual({
      rows: [expect.objectContaining({ id: '18f2', text: 'only <this>', date: null })],
    });
    expect(sites.requests[3]?.query.get('pageToken')).toBe('0912');
  });

  test('is tested by asking whose it is', async () => {
    expect(await testMailbox(parts(), gmail, signal)).toMatchObject({ ok: true });
    expect(await testMailbox(parts(), { ...gmail, user: 'bob@example.com' }, signal)).toMatchObject({
      ok: false,
    });
    const wrong = { ...gmail, refreshToken: 'WRONG-SECRET' };
    expect(await failureOf(testMailbox(parts(), wrong, signal))).toContain('did not accept the credentials');
  });
});
