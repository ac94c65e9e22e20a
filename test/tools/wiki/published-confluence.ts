import type { JsonObject } from '../../../src/domain/chat.ts';
import {
  anything,
  neededText,
  type PublishedCall,
  type PublishedSite,
  shapeOf,
  text,
} from '../request-shape.ts';

/**
 * Confluence as Atlassian publishes it: Cloud REST API v1 for the search and v2 for the rest
 * (developer.atlassian.com/cloud/confluence/rest), Data Center REST API (docs.atlassian.com/ConfluenceServer/rest).
 */

export const cloudHost = 'acme.atlassian.net';
export const dataCenterHost = 'wiki.example.com';
export const account = { email: 'bot@example.com', token: 'CLOUD-SECRET' };
export const personalToken = 'DC-SECRET';

/** Ids of pages and the keys of their spaces; ids of spaces are 900 and up. */
const pageSpaces: Readonly<Record<string, string>> = { '101': 'DOCS', '102': 'HR', '103': 'SECRET' };
const spaceIds: Readonly<Record<string, string>> = { '900': 'DOCS', '901': 'HR', '902': 'SECRET' };

export function result(id: string, space: string, fields: JsonObject = {}): JsonObject {
  return {
    content: {
      id,
      type: 'page',
      status: 'current',
      title: 'Travel policy',
      space: { key: space, name: 'Docs' },
      version: { by: { displayName: 'Lucía Ortega' }, when: '2026-04-09T13:30:00.000Z', number: 3 },
      body: {
        storage: {
          value:
            '<h2>Trains</h2><p>before planes &amp; below 6&nbsp;hours &mdash; <strong>always</strong></p><ac:structured-macro ac:name="code"><ac:parameter ac:name="language">sql</ac:parameter><ac:plain-text-body><![CDATA[select <1>]]></ac:plain-text-body></ac:structured-macro><table><tbody><tr><th>City</th><td>Oslo</td></tr></tbody></table><script>alert(1)</script>',
          representation: 'storage',
        },
      },
      _links: { webui: `/spaces/${space}/pages/${id}/Travel+policy` },
    },
    title: '@@@hl@@@Travel@@@endhl@@@ policy',
    excerpt: 'before @@@hl@@@planes@@@endhl@@@',
    url: `/spaces/${space}/pages/${id}/Travel+policy`,
    lastModified: '2026-04-09T13:30:00.000Z',
    ...fields,
  };
}

const storage = shapeOf((value) => {
  const { representation, value: xhtml } = value as JsonObject;
  return representation === 'storage' && typeof xhtml === 'string';
});

const searchQuery = {
  cql: /./,
  limit: /^\d+$/,
  excerpt: /^(?:highlight|indexed|none)$/,
  expand: /^[\w.,]+$/,
};

export interface Results {
  /** Under the cursor or position that leads to them; '' is the first. */
  readonly [cursor: string]: { readonly results: readonly JsonObject[]; readonly next?: string };
}

export function publishedCloud(pages: Results, host = cloudHost, prefix = '/wiki'): PublishedSite {
  const at = (path: string) => new RegExp(`^${prefix}${path}$`);
  const calls: readonly PublishedCall[] = [
    {
      method: 'GET',
      path: at('/rest/api/search'),
      query: { ...searchQuery, cursor: /./ },
      answer({ query }) {
        const page = pages[query.get('cursor') ?? ''];
        if (page === undefined) return { status: 400, body: { statusCode: 400, message: 'invalid cursor' } };
        const { results, next } = page;
        const links = { base: `https://${cloudHost}/wiki`, context: '/wiki' };
        const link = `/rest/api/search?next=true&cursor=${encodeURIComponent(next ?? '')}&limit=10&cql=stolen`;
        return {
          body: {
            results,
            start: 0,
            size: results.length,
            totalSize: 3,
            _links: { ...links, ...(next !== undefined && { next: link }) },
          },
        };
      },
    },
    {
      method: 'GET',
      path: at('/rest/api/user/current'),
      answer: () => ({ body: { type: 'known', displayName: 'Service Bot' } }),
    },
    {
      method: 'GET',
      path: at('/api/v2/spaces'),
      query: { keys: /^[\w~,.:-]+$/ },
      answer({ query }) {
        const found = Object.entries(spaceIds).filter(([, key]) => key === query.get('keys'));
        return { body: { results: found.map(([id, key]) => ({ id, key, name: key })), _links: {} } };
      },
    },
    {
      method: 'GET',
      path: at('/api/v2/spaces/(\\d+)'),
      answer: (_, [, id = '']) =>
        spaceIds[id] === undefined ? { status: 404, body: {} } : { body: { id, key: spaceIds[id] } },
    },
    {
      method: 'GET',
      path: at('/api/v2/pages/(\\d+)'),
      answer(_, [, id = '']) {
        const spaceId = Object.keys(spaceIds).find((candidate) => spaceIds[candidate] === pageSpaces[id]);
        return spaceId === undefined ? { status: 404, body: {} } : { body: { id, spaceId, title: 'x' } };
      },
    },
    {
      method: 'POST',
      path: at('/api/v2/pages'),
      body: { spaceId: neededText, status: neededText, title: neededText, parentId: text, body: storage },
      answer: ({ body }) => ({ body: { ...(body as JsonObject), id: '777' } }),
    },
    {
      method: 'POST',
      path: at('/api/v2/footer-comments'),
      body: { pageId: neededText, parentCommentId: text, body: storage },
      answer: () => ({ status: 201, body: { id: '888' } }),
    },
  ];
  const basic = `Basic ${Buffer.from(`${account.email}:${account.token}`).toString('base64')}`;
  return { host, calls, isSignedIn: ({ headers }) => headers.authorization === basic };
}

export function publishedDataCenter(total: number): PublishedSite {
  const calls: readonly PublishedCall[] = [
    {
      method: 'GET',
      path: /^\/rest\/api\/search$/,
      query: { ...searchQuery, start: /^\d+$/ },
      answer({ query }) {
        const start = Number(query.get('start') ?? 0);
        const limit = Number(query.get('limit'));
        const ids = Array.from({ length: total }, (_, index) => String(101 + index));
        const results = ids
          .slice(start, start + limit)
          .map((id) => result(id, 'DOCS', { url: `/display/DOCS/${id}` }));
        const next = start + limit < total ? { next: `/rest/api/search?start=${start + limit}` } : {};
        return { body: { results, start, limit, size: results.length, totalSize: total, _links: next } };
      },
    },
    {
      method: 'GET',
      path: /^\/rest\/api\/content\/(\d+)$/,
      query: { expand: /^space$/ },
      answer: (_, [, id = '']) => ({ body: { id, type: 'page', space: { key: pageSpaces[id] ?? 'DOCS' } } }),
    },
    {
      method: 'POST',
      path: /^\/rest\/api\/content$/,
      body: {
        type: shapeOf((type) => type === 'page' || type === 'comment'),
        title: text,
        space: anything,
        ancestors: anything,
        container: anything,
        body: shapeOf(
          (value) => typeof (value as { storage?: { value?: unknown } }).storage?.value === 'string',
        ),
      },
      answer: () => ({ body: { id: '777', type: 'page' } }),
    },
    {
      method: 'GET',
      path: /^\/rest\/api\/space\/([\w~]+)$/,
      answer: (_, [, key = '']) => (key === 'DOCS' ? { body: { key } } : { status: 404, body: {} }),
    },
    {
      method: 'GET',
      path: /^\/rest\/api\/user\/current$/,
      answer: () => ({ body: { type: 'known', displayName: 'Service Bot' } }),
    },
  ];
  const isSignedIn: PublishedSite['isSignedIn'] = ({ headers }) =>
    headers.authorization === `Bearer ${personalToken}`;
  return { host: dataCenterHost, calls, isSignedIn };
}
