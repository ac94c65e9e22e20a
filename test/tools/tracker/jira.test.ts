import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ToolFailure } from '../../../src/ports/tool.ts';
import type { IssueQuery } from '../../../src/ports/tracker.ts';
import { openJira, testJira } from '../../../src/tools/tracker/jira.ts';
import { publishedSites } from '../request-shape.ts';
import { type StubSites, startStubSites } from '../stub-sites.ts';
import {
  account,
  cloudHost,
  cloudIssue,
  dataCenterHost,
  personalToken,
  publishedCloud,
  publishedDataCenter,
} from './published-jira.ts';

let sites: StubSites;
const { signal } = new AbortController();
const query: IssueQuery = { terms: ['tax'], limit: 10 };
const cloud = { kind: 'jira', site: `https://${cloudHost}`, ...account, projects: [] } as const;
const scoped = { ...cloud, projects: ['OPS', 'WEB'] };
const dataCenter = {
  kind: 'jira',
  site: `https://${dataCenterHost}/jira`,
  email: 'bot@example.com',
  token: personalToken,
  projects: [],
} as const;

beforeAll(async () => {
  sites = await startStubSites(cloudHost, dataCenterHost, 'api.atlassian.com');
});
afterAll(() => sites.close());
beforeEach(() => {
  sites.requests.length = 0;
  sites.waits.length = 0;
});

async function failureOf(work: Promise<unknown>): Promise<string> {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(ToolFailure);
  const { message, cause } = error as ToolFailure;
  expect(`${message} ${JSON.stringify(cause ?? '')} ${(error as Error).stack}`).not.toMatch(/SECRET/);
  return message;
}

describe('Jira Cloud', () => {
  beforeEach(() => {
    sites.handle = publishedSites(
      publishedCloud({
        pages: {
          '': { issues: [cloudIssue('OPS-1', 'Wrong VAT')], next: 'CAEaAggD' },
          CAEaAggD: { issues: [cloudIssue('SECRET-2', 'From elsewhere'), cloudIssue('WEB-3', 'More')] },
        },
        issues: { 'OPS-1': 'OPS-1', 'OPS-4': 'SECRET-9' },
      }),
    );
  });

  test('is searched by POST /rest/api/3/search/jql, and its documents become plain text', async () => {
    const page = await openJira(sites.client(), cloud).search(query, signal);
    expect(sites.requests.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'POST /rest/api/3/search/jql',
    ]);
    expect(sites.requests[0]?.body).toEqual({
      jql: 'text ~ "tax" ORDER BY updated DESC',
      maxResults: 10,
      fields: expect.arrayContaining(['summary', 'status', 'assignee', 'updated', 'description', 'comment']),
    });
    expect(page).toEqual({
      rows: [
        {
          key: 'OPS-1',
          title: 'Wrong VAT',
          type: 'Bug',
          status: 'In Progress',
          priority: 'High',
          assignee: 'Mara Lindqvist',
          reporter: 'Tom Achebe',
          created: '2026-05-04T08:12:00.000+0000',
          updated: '2026-05-08T14:40:00.000+0000',
          link: 'https://acme.atlassian.net/browse/OPS-1',
          text: 'The tax is wrong in Norway.\n- open the cart\n@Ada knows more\nComment by Ada: Seen in Sweden too',
        },
      ],
      nextCursor: 'CAEaAggD',
    });
  });

  test('is paged by nextPageToken; what is in no project of the connection is left out', async () => {
    const tracker = openJira(sites.client(), scoped);
    const page = await tracker.search({ ...query, cursor: 'CAEaAggD' }, signal);
    expect(sites.requests[0]?.body).toMatchObject({
      jql: 'project in ("OPS", "WEB") AND text ~ "tax" ORDER BY updated DESC',
      nextPageToken: 'CAEaAggD',
    });
    expect(page.rows.map(({ key }) => key)).toEqual(['WEB-3']);
    expect(page).not.toHaveProperty('nextCursor');
  });

  test('takes new issues and comments as documents', async () => {
    const tracker = openJira(sites.client(), scoped);
    const issue = {
      project: 'ops',
      type: 'Task',
      title: 'Try',
      description: '# Why\n\n- one\n- two\n\na\nb [~ada] {x}',
    };
    expect(await tracker.create(issue, signal)).toEqual({
      key: 'OPS-7',
      link: 'https://acme.atlassian.net/browse/OPS-7',
    });
    const item = (text: string) => ({
      type: 'listItem',
      content: [{ type: 'paragraph', content: [{ type: 'text', text }] }],
    });
    expect(sites.requests[0]?.body).toEqual({
      fields: {
        project: { key: 'OPS' },
        issuetype: { name: 'Task' },
        summary: 'Try',
        description: {
          type: 'doc',
          version: 1,
          content: [
            { type: 'heading', attrs: { level: 1 }, content: [{ type: 'text', text: 'Why' }] },
            { type: 'bulletList', content: [item('one'), item('two')] },
            {
              type: 'paragraph',
              content: [
                { type: 'text', text: 'a' },
                { type: 'hardBreak' },
                { type: 'text', text: 'b [~ada] {x}' },
              ],
            },
          ],
        },
      },
    });
    expect(await tracker.create({ ...issue, description: '' }, signal)).toMatchObject({ key: 'OPS-7' });
    expect(await tracker.comment('ops-1', 'Fixed', signal)).toMatchObject({ key: 'OPS-1' });
    expect(sites.requests.at(-1)).toMatchObject({ method: 'POST', path: '/rest/api/3/issue/OPS-1/comment' });
  });

  test.for([
    [
      'a project of the search',
      () => openJira(sites.client(), scoped).search({ ...query, project: 'SECRET' }, signal),
    ],
    [
      'a project of a new issue',
      () =>
        openJira(sites.client(), scoped).create(
          { project: 'SECRET', type: 'Task', title: 'x', description: '' },
          signal,
        ),
    ],
    ['an issue to comment on', () => openJira(sites.client(), scoped).comment('SECRET-1', 'x', signal)],
    ['no key: a path', () => openJira(sites.client(), scoped).comment('OPS-1/../SECRET-1', 'x', signal)],
    ['no key: dots', () => openJira(sites.client(), scoped).comment('..', 'x', signal)],
    [
      'no key: an encoded slash',
      () => openJira(sites.client(), scoped).comment('OPS-1%2fcomment', 'x', signal),
    ],
  ] as const)('is not asked at all for what is out of reach: %s', async ([, work]) => {
    expect(await failureOf(work())).toMatch(
      /only these projects can be reached: OPS, WEB|must be the key of an issue/,
    );
    expect(sites.requests).toEqual([]);
  });

  test('does not take a comment on an issue that was moved out of reach', async () => {
    expect(await failureOf(openJira(sites.client(), scoped).comment('OPS-4', 'x', signal))).toContain(
      'only these',
    );
    expect(sites.requests.map(({ method }) => method)).toEqual(['GET']);
  });

  test('is reached behind the gateway of scoped tokens, and links lead to the site', async () => {
    const site = 'https://api.atlassian.com/ex/jira/11111111-2222-3333-4444-555555555555';
    const { pathname } = new URL(site);
    const data = { pages: { '': { issues: [cloudIssue('OPS-1', 'Wrong VAT')] } } };
    sites.handle = publishedSites(publishedCloud(data, 'api.atlassian.com', pathname));
    const page = await openJira(sites.client(), { ...cloud, site }).search(query, signal);
    expect(page.rows[0]?.link).toBe('https://acme.atlassian.net/browse/OPS-1');
  });

  test('is tested by signing in and looking at each project', async () => {
    expect(await testJira(sites.client(), scoped, signal)).toEqual({
      ok: true,
      detail: 'signed in to Jira as Service Bot; reaches OPS, WEB',
    });
    const paths = sites.requests.map(({ path }) => path.replace('/rest/api/3', ''));
    expect(paths).toEqual(['/myself', '/project/OPS', '/project/WEB']);
    expect(await failureOf(testJira(sites.client(), { ...scoped, projects: ['GONE'] }, signal))).toContain(
      'nothing of that name',
    );
  });

  test('with wrong credentials says so and no more', async () => {
    const failed = openJira(sites.client(), { ...cloud, token: 'WRONG-SECRET' }).search(query, signal);
    expect(await failureOf(failed)).toBe(
      'Jira did not accept the credentials of the connection; an administrator has to renew them',
    );
  });

  test.for([
    [
      400,
      { errorMessages: ["The value 'x' does not exist\u0007 for the field 'status'."] },
      /refused the request; it says: "The value 'x' does not exist for the field 'status'\."/,
    ],
    [
      400,
      { errors: { summary: 'You must "specify" a summary' } },
      /it says: "summary: You must 'specify' a summary"/,
    ],
    [400, 'no JSON', /^Jira refused the request$/],
    [403, {}, /does not permit this/],
    [404, {}, /nothing of that name/],
    [410, { errorMessages: ['The requested API has been removed.'] }, /no longer offers this interface/],
    [418, {}, /answered 418/],
    [500, 'stack trace SECRET', /^Jira failed \(500\); try again later$/],
    [503, {}, /failed \(503\)/],
    [200, '<html>Log in</html>', /no JSON: is the address right/],
  ] as const)('tells the model what a %i means', async ([status, body, message]) => {
    sites.handle = () => ({ status, body });
    expect(await failureOf(openJira(sites.client(), cloud).search(query, signal))).toMatch(message);
    expect(sites.requests).toHaveLength(1);
  });

  test('is waited for once after a 429, as long as it says', async () => {
    const answer = sites.handle;
    let calls = 0;
    sites.handle = (request) => {
      calls += 1;
      return calls === 1 ? { status: 429, headers: { 'retry-after': '3' } } : answer(request);
    };
    const page = await openJira(sites.client(), cloud).search(query, signal);
    expect(page.rows).toHaveLength(1);
    expect(sites.waits).toEqual([3_000]);
    sites.handle = () => ({ status: 429, headers: { 'retry-after': '7' } });
    expect(await failureOf(openJira(sites.client(), cloud).search(query, signal))).toContain(
      'try again in 7 s',
    );
    expect(sites.requests).toHaveLength(4);
  });

  test('is not waited for when that would take too long', async () => {
    sites.handle = () => ({ status: 429, headers: { 'retry-after': '3600' } });
    expect(await failureOf(openJira(sites.client(), cloud).search(query, signal))).toContain('in 3600 s');
    expect(sites.requests).toHaveLength(1);
    expect(sites.waits).toEqual([]);
  });

  test.for([
    ['no object', []],
    ['rows of another kind', { issues: [null, 1, 'x', {}, { key: 'x' }, { key: 'OPS-1' }] }],
    [
      'fields of another kind',
      { issues: [{ key: 'OPS-1', fields: { summary: {}, status: [], description: 'x' } }] },
    ],
    ['depth', deep(5_000)],
  ] as const)('may answer with %s', async ([, body]) => {
    sites.handle = () => ({ body });
    const { rows } = await openJira(sites.client(), cloud).search(query, signal);
    for (const { key } of rows) expect(key).toBe('OPS-1');
  });
});

/** As text: to write so deep an object would overflow the stack of the stub. */
function deep(levels: number): string {
  const opened = '{"type":"paragraph","content":['.repeat(levels);
  return `{"issues":[{"key":"OPS-1","fields":{"description":${opened}1${']}'.repeat(levels)}}}]}`;
}

describe('Jira Data Center', () => {
  beforeEach(() => {
    sites.handle = publishedSites(publishedDataCenter(5));
  });

  test('is searched by REST v2 under its path, and paged by position', async () => {
    const tracker = openJira(sites.client(), dataCenter);
    const keys: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await tracker.search(
        { ...query, limit: 2, ...(cursor !== undefined && { cursor }) },
        signal,
      );
      expect(page.total).toBe(5);
      keys.push(...page.rows.map(({ key }) => key));
      cursor = page.nextCursor;
    } while (cursor !== undefined);
    expect(keys).toEqual(['OPS-1', 'OPS-2', 'OPS-3', 'OPS-4', 'OPS-5']);
    expect(sites.requests.map(({ body }) => (body as { startAt: number }).startAt)).toEqual([0, 2, 4]);
  });

  test('takes text with its markup made harmless', async () => {
    const tracker = openJira(sites.client(), dataCenter);
    const description = 'See [~admin] and {jira:x} !http://evil/x.png! C:\\temp\n\n```\n{noformat}[x]\n```';
    await tracker.create({ project: 'OPS', type: 'Task', title: 'x', description }, signal);
    expect(sites.requests[0]?.body).toMatchObject({
      fields: {
        description:
          'See \\[~admin\\] and \\{jira:x\\} \\!http://evil/x.png\\! C:&#92;temp\n\n{noformat}\n{ noformat}[x]\n{noformat}',
      },
    });
    expect(await tracker.comment('OPS-1', 'Done', signal)).toEqual({
      key: 'OPS-1',
      link: 'https://jira.example.com/jira/browse/OPS-1',
    });
  });

  test('is tested with its personal access token', async () => {
    expect(await testJira(sites.client(), dataCenter, signal)).toMatchObject({ ok: true });
    expect(await failureOf(testJira(sites.client(), { ...dataCenter, token: 'x-SECRET' }, signal))).toContain(
      'did not accept',
    );
  });
});
