import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ToolFailure } from '../../../src/ports/tool.ts';
import type { PageQuery } from '../../../src/ports/wiki.ts';
import { openConfluence, testConfluence } from '../../../src/tools/wiki/confluence.ts';
import { publishedSites } from '../request-shape.ts';
import { type StubSites, startStubSites } from '../stub-sites.ts';
import {
  account,
  cloudHost,
  dataCenterHost,
  personalToken,
  publishedCloud,
  publishedDataCenter,
  result,
} from './published-confluence.ts';

let sites: StubSites;
const { signal } = new AbortController();
const query: PageQuery = { terms: ['planes'], limit: 10 };
const cloud = { kind: 'confluence', site: `https://${cloudHost}`, ...account, spaces: [] } as const;
const scoped = { ...cloud, spaces: ['DOCS', 'HR'] };
const dataCenter = {
  kind: 'confluence',
  site: `https://${dataCenterHost}`,
  email: 'bot@example.com',
  token: personalToken,
  spaces: ['DOCS'],
} as const;

beforeAll(async () => {
  sites = await startStubSites(cloudHost, dataCenterHost, 'api.atlassian.com');
});
afterAll(() => sites.close());
beforeEach(() => {
  sites.requests.length = 0;
});

async function failureOf(work: Promise<unknown>): Promise<string> {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(ToolFailure);
  return (error as ToolFailure).message;
}

describe('Confluence Cloud', () => {
  const cursor = '_sa_WyJcdDQyIl0=';

  beforeEach(() => {
    sites.handle = publishedSites(
      publishedCloud({
        '': { results: [result('101', 'DOCS')], next: cursor },
        [cursor]: { results: [result('103', 'SECRET'), result('102', 'HR')] },
      }),
    );
  });

  test('is searched by CQL, and its storage format becomes plain text', async () => {
    const page = await openConfluence(sites.client(), cloud).search(query, signal);
    expect(sites.requests.map(({ path }) => path)).toEqual(['/wiki/rest/api/search']);
    expect(sites.requests[0]?.query.get('cql')).toBe('type in (page, blogpost) AND text ~ "planes"');
    expect(page).toEqual({
      rows: [
        {
          id: '101',
          title: 'Travel policy',
          space: 'DOCS',
          type: 'page',
          author: 'Lucía Ortega',
          updated: '2026-04-09T13:30:00.000Z',
          link: 'https://acme.atlassian.net/wiki/spaces/DOCS/pages/101/Travel+policy',
          text: 'Trains\nbefore planes & below 6 hours — always\nselect <1>\nCity | Oslo |',
        },
      ],
      total: 3,
      nextCursor: cursor,
    });
  });

  test('is paged by the cursor alone of the next link; what is in no space of the connection is left out', async () => {
    const page = await openConfluence(sites.client(), scoped).search({ ...query, cursor }, signal);
    expect(sites.requests[0]?.query.get('cursor')).toBe(cursor);
    expect(sites.requests[0]?.query.get('cql')).toBe(
      'space in ("DOCS", "HR") AND type in (page, blogpost) AND text ~ "planes"',
    );
    expect(page.rows.map(({ id }) => id)).toEqual(['102']);
    expect(page).not.toHaveProperty('nextCursor');
  });

  test('takes new pages and comments by REST v2, in storage format without markup of their own', async () => {
    const wiki = openConfluence(sites.client(), scoped);
    const text = '# Why <x>\n\n- "one" & two\n\na\nb <ac:structured-macro ac:name="html">';
    const written = await wiki.create({ space: 'docs', title: 'T', text, parentId: '101' }, signal);
    expect(written).toEqual({
      key: '777',
      link: 'https://acme.atlassian.net/wiki/pages/viewpage.action?pageId=777',
    });
    expect(sites.requests.at(-1)?.body).toEqual({
      spaceId: '900',
      status: 'current',
      title: 'T',
      parentId: '101',
      body: {
        representation: 'storage',
        value:
          '<h1>Why &lt;x&gt;</h1><ul><li><p>&quot;one&quot; &amp; two</p></li></ul><p>a<br/>b &lt;ac:structured-macro ac:name=&quot;html&quot;&gt;</p>',
      },
    });
    expect(await wiki.comment('102', 'Good', signal)).toMatchObject({ key: '102' });
    expect(sites.requests.at(-1)).toMatchObject({
      path: '/wiki/api/v2/footer-comments',
      body: { pageId: '102', body: { representation: 'storage', value: '<p>Good</p>' } },
    });
  });

  test.for([
    [
      'a space of the search',
      () => openConfluence(sites.client(), scoped).search({ ...query, space: 'SECRET' }, signal),
    ],
    [
      'a space of a new page',
      () => openConfluence(sites.client(), scoped).create({ space: 'SECRET', title: 'x', text: 'x' }, signal),
    ],
    ['no id', () => openConfluence(sites.client(), scoped).comment('101/../../x', 'x', signal)],
    [
      'no id above',
      () =>
        openConfluence(sites.client(), scoped).create(
          { space: 'HR', title: 'x', text: 'x', parentId: '..' },
          signal,
        ),
    ],
  ] as const)('is not asked at all for what is out of reach: %s', async ([, work]) => {
    expect(await failureOf(work())).toMatch(
      /only these spaces can be reached: DOCS, HR|id of a page is a number/,
    );
    expect(sites.requests).toEqual([]);
  });

  test.for([
    ['commented on', () => openConfluence(sites.client(), scoped).comment('103', 'x', signal), /only these/],
    [
      'written under',
      () =>
        openConfluence(sites.client(), scoped).create(
          { space: 'HR', title: 'x', text: 'x', parentId: '103' },
          signal,
        ),
      /only these/,
    ],
    [
      'written under, in another space',
      () =>
        openConfluence(sites.client(), scoped).create(
          { space: 'HR', title: 'x', text: 'x', parentId: '101' },
          signal,
        ),
      /is in the space DOCS, not in HR/,
    ],
  ] as const)('is not written to where a page out of reach would be %s', async ([, work, message]) => {
    expect(await failureOf(work())).toMatch(message);
    expect(sites.requests.filter(({ method }) => method !== 'GET')).toEqual([]);
  });

  test('is reached behind the gateway of scoped tokens, and links lead to the site', async () => {
    const site = 'https://api.atlassian.com/ex/confluence/1111';
    const data = { '': { results: [result('101', 'DOCS', { url: '//evil.example.com/x' })] } };
    sites.handle = publishedSites(publishedCloud(data, 'api.atlassian.com', '/ex/confluence/1111/wiki'));
    const { rows } = await openConfluence(sites.client(), { ...cloud, site }).search(query, signal);
    expect(rows[0]?.link).toBe('https://acme.atlassian.net/wiki/pages/viewpage.action?pageId=101');
  });

  test('is tested by signing in and looking at each space', async () => {
    expect(await testConfluence(sites.client(), scoped, signal)).toEqual({
      ok: true,
      detail: 'signed in to Confluence as Service Bot; reaches DOCS, HR',
    });
    expect(
      await failureOf(testConfluence(sites.client(), { ...scoped, spaces: ['GONE'] }, signal)),
    ).toContain('no space');
    sites.handle = () => ({ body: { type: 'anonymous' } });
    expect(await testConfluence(sites.client(), scoped, signal)).toMatchObject({ ok: false });
  });

  test.for([401, 403, 404, 410, 429, 500])(
    'tells the model of a %i without the credentials',
    async (status) => {
      sites.handle = () => ({ status, body: { message: account.token } });
      const message = await failureOf(openConfluence(sites.client(), cloud).search(query, signal));
      expect(message).toMatch(/^Confluence /);
      expect(message).not.toContain('SECRET');
    },
  );
});

describe('Confluence Data Center', () => {
  beforeEach(() => {
    sites.handle = publishedSites(publishedDataCenter(5));
  });

  test('is paged by position', async () => {
    const wiki = openConfluence(sites.client(), dataCenter);
    const ids: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await wiki.search({ ...query, limit: 2, ...(cursor !== undefined && { cursor }) }, signal);
      ids.push(...page.rows.map(({ id }) => id));
      cursor = page.nextCursor;
    } while (cursor !== undefined);
    expect(ids).toEqual(['101', '102', '103', '104', '105']);
    expect(sites.requests.map(({ query: sent }) => sent.get('start'))).toEqual([null, '2', '4']);
  });

  test('takes pages and comments by REST v1', async () => {
    const wiki = openConfluence(sites.client(), dataCenter);
    await wiki.create({ space: 'DOCS', title: 'T', text: 'x', parentId: '101' }, signal);
    expect(sites.requests.at(-1)?.body).toEqual({
      type: 'page',
      title: 'T',
      space: { key: 'DOCS' },
      ancestors: [{ id: '101' }],
      body: { storage: { value: '<p>x</p>', representation: 'storage' } },
    });
    await wiki.comment('101', 'x', signal);
    expect(sites.requests.at(-1)?.body).toMatchObject({
      type: 'comment',
      container: { id: '101', type: 'page' },
    });
    expect(await failureOf(wiki.comment('103', 'x', signal))).toContain('only these spaces');
  });

  test('is tested with its personal access token', async () => {
    expect(await testConfluence(sites.client(), dataCenter, signal)).toMatchObject({ ok: true });
    expect(sites.requests.map(({ path }) => path)).toEqual([
      '/rest/api/user/current',
      '/rest/api/space/DOCS',
    ]);
  });
});
