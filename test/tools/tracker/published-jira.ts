import type { JsonObject } from '../../../src/domain/chat.ts';
import {
  anything,
  neededText,
  type PublishedCall,
  type PublishedSite,
  shapeOf,
  text,
  texts,
  wholeNumber,
} from '../request-shape.ts';

/**
 * Jira as Atlassian publishes it: Cloud platform REST API v3 (developer.atlassian.com/cloud/jira/platform/rest/v3) and
 * Data Center REST API v2 (docs.atlassian.com/software/jira/docs/api/REST).
 */

export const cloudHost = 'acme.atlassian.net';
export const dataCenterHost = 'jira.example.com';
export const account = { email: 'bot@example.com', token: 'CLOUD-SECRET' };
export const personalToken = 'DC-SECRET';

const user = (displayName: string): JsonObject => ({
  self: `https://${cloudHost}/rest/api/3/user?accountId=1`,
  accountId: `id-${displayName}`,
  displayName,
  active: true,
});

export const description: JsonObject = {
  type: 'doc',
  version: 1,
  content: [
    {
      type: 'paragraph',
      content: [
        { type: 'text', text: 'The tax is wrong in ', marks: [{ type: 'strong' }] },
        { type: 'text', text: 'Norway.' },
      ],
    },
    {
      type: 'bulletList',
      content: [
        {
          type: 'listItem',
          content: [{ type: 'paragraph', content: [{ type: 'text', text: 'open the cart' }] }],
        },
      ],
    },
    { type: 'mediaSingle', content: [{ type: 'media', attrs: { id: '1', type: 'file' } }] },
    {
      type: 'paragraph',
      content: [
        { type: 'mention', attrs: { id: '5', text: '@Ada' } },
        { type: 'text', text: ' knows more' },
      ],
    },
  ],
};

export function cloudIssue(key: string, summary: string, fields: JsonObject = {}): JsonObject {
  return {
    expand: 'renderedFields,names',
    id: '10001',
    self: `https://${cloudHost}/rest/api/3/issue/10001`,
    key,
    fields: {
      summary,
      issuetype: { id: '1', name: 'Bug', subtask: false },
      status: { name: 'In Progress', statusCategory: { key: 'indeterminate' } },
      priority: { id: '2', name: 'High' },
      assignee: user('Mara Lindqvist'),
      reporter: user('Tom Achebe'),
      created: '2026-05-04T08:12:00.000+0000',
      updated: '2026-05-08T14:40:00.000+0000',
      description,
      comment: {
        total: 1,
        comments: [
          {
            author: user('Ada'),
            body: {
              type: 'doc',
              version: 1,
              content: [{ type: 'paragraph', content: [{ type: 'text', text: 'Seen in Sweden too' }] }],
            },
          },
        ],
      },
      ...fields,
    },
  };
}

const isDocument = (value: unknown) => {
  const { type, version, content } = value as JsonObject;
  return (
    type === 'doc' && version === 1 && Array.isArray(content) && content.length > 0 && hasNoEmptyText(content)
  );
};

/** ADF has no empty text nodes; Jira answers INVALID_INPUT. */
function hasNoEmptyText(nodes: readonly unknown[]): boolean {
  return nodes.every((node) => {
    const { type, text: own, content = [] } = node as { type: string; text?: string; content?: unknown[] };
    return (type !== 'text' || (typeof own === 'string' && own !== '')) && hasNoEmptyText(content);
  });
}

const issueForm = (isBody: (value: unknown) => boolean) =>
  shapeOf((value) => {
    const fields = value as Record<string, JsonObject>;
    const known = new Set(['project', 'issuetype', 'summary', 'description', 'labels', 'parent', 'assignee']);
    return (
      Object.keys(fields).every((name) => known.has(name)) &&
      typeof fields.project?.key === 'string' &&
      typeof fields.issuetype?.name === 'string' &&
      typeof fields.summary === 'string' &&
      (fields.description === undefined || isBody(fields.description))
    );
  });

export interface CloudData {
  /** Pages of the search, each under the token that leads to it; '' is the first. */
  readonly pages: Readonly<
    Record<string, { readonly issues: readonly JsonObject[]; readonly next?: string }>
  >;
  /** Keys of issues and the keys under which they are now. */
  readonly issues?: Readonly<Record<string, string>>;
}

export function publishedCloud(data: CloudData, host = cloudHost, prefix = ''): PublishedSite {
  const at = (path: string) => new RegExp(`^${prefix}/rest/api/3${path}$`);
  const calls: readonly PublishedCall[] = [
    {
      method: 'POST',
      path: at('/search'),
      body: { jql: anything, startAt: anything, maxResults: anything, fields: anything },
      answer: () => ({
        status: 410,
        body: {
          errorMessages: [
            'The requested API has been removed. Please migrate to the /rest/api/3/search/jql API.',
          ],
        },
      }),
    },
    {
      method: 'POST',
      path: at('/search/jql'),
      body: {
        jql: neededText,
        nextPageToken: text,
        maxResults: wholeNumber,
        fields: texts,
        fieldsByKeys: anything,
        expand: text,
        properties: texts,
        failFast: anything,
        reconcileIssues: anything,
      },
      answer({ body }) {
        const { jql, nextPageToken = '' } = body as { jql: string; nextPageToken?: string };
        if (/^\s*(?:order by.*)?$/i.test(jql)) {
          return { status: 400, body: { errorMessages: ['Unbounded JQL queries are not allowed here.'] } };
        }
        const page = data.pages[nextPageToken];
        if (page === undefined)
          return { status: 400, body: { errorMessages: ['The page token is invalid'] } };
        const { issues, next } = page;
        return {
          body: { issues, isLast: next === undefined, ...(next !== undefined && { nextPageToken: next }) },
        };
      },
    },
    {
      method: 'POST',
      path: at('/issue'),
      body: { fields: issueForm(isDocument), update: anything },
      answer: () => ({
        status: 201,
        body: { id: '10007', key: 'OPS-7', self: `https://${host}/rest/api/3/issue/10007` },
      }),
    },
    {
      method: 'GET',
      path: at('/issue/([A-Z]+-\\d+)'),
      query: { fields: /^[a-z,]+$/, expand: /./ },
      answer(_, [, key = '']) {
        const now = data.issues?.[key];
        return now === undefined
          ? {
              status: 404,
              body: { errorMessages: ['Issue does not exist or you do not have permission to see it.'] },
            }
          : { body: { id: '10001', key: now, fields: { project: { key: now.split('-')[0] ?? '' } } } };
      },
    },
    {
      method: 'POST',
      path: at('/issue/([A-Z]+-\\d+)/comment'),
      body: { body: shapeOf(isDocument), visibility: anything },
      answer: () => ({ status: 201, body: { id: '20001', self: `https://${host}/comment/20001` } }),
    },
    { method: 'GET', path: at('/myself'), answer: () => ({ body: user('Service Bot') }) },
    {
      method: 'GET',
      path: at('/project/([A-Z]+)'),
      answer: (_, [, key = '']) =>
        ['OPS', 'WEB'].includes(key)
          ? { body: { id: '1', key } }
          : { status: 404, body: { errorMessages: [`No project could be found with key '${key}'.`] } },
    },
    {
      method: 'GET',
      path: at('/serverInfo'),
      answer: () => ({ body: { baseUrl: `https://${cloudHost}`, deploymentType: 'Cloud' } }),
    },
  ];
  const basic = `Basic ${Buffer.from(`${account.email}:${account.token}`).toString('base64')}`;
  return { host, calls, isSignedIn: ({ headers }) => headers.authorization === basic };
}

export function dataCenterIssue(key: string, summary: string): JsonObject {
  return {
    id: '10001',
    key,
    fields: {
      summary,
      issuetype: { name: 'Task' },
      status: { name: 'Open' },
      priority: null,
      assignee: null,
      reporter: { name: 'tom', displayName: 'Tom Achebe' },
      created: '2026-05-04T08:12:00.000+0200',
      updated: '2026-05-08T14:40:00.000+0200',
      description: 'h2. Steps\r\n* open the cart\r\n{code}x = 1{code}',
    },
  };
}

/** A Data Center with so many issues. */
export function publishedDataCenter(total: number): PublishedSite {
  const isMarkup = (value: unknown) => typeof value === 'string';
  const calls: readonly PublishedCall[] = [
    {
      method: 'POST',
      path: /^\/jira\/rest\/api\/2\/search$/,
      body: {
        jql: neededText,
        startAt: wholeNumber,
        maxResults: wholeNumber,
        fields: texts,
        validateQuery: anything,
        expand: texts,
      },
      answer({ body }) {
        const { startAt, maxResults } = body as { startAt: number; maxResults: number };
        const numbers = Array.from({ length: total }, (_, index) => index + 1);
        const issues = numbers
          .slice(startAt, startAt + maxResults)
          .map((number) => dataCenterIssue(`OPS-${number}`, `Issue ${number}`));
        return { body: { expand: 'names', startAt, maxResults, total, issues } };
      },
    },
    {
      method: 'POST',
      path: /^\/jira\/rest\/api\/2\/issue$/,
      body: { fields: issueForm(isMarkup) },
      answer: () => ({ status: 201, body: { id: '1', key: 'OPS-9', self: '' } }),
    },
    {
      method: 'GET',
      path: /^\/jira\/rest\/api\/2\/issue\/([A-Z]+-\d+)$/,
      query: { fields: /./ },
      answer: (_, [, key = '']) => ({ body: { id: '1', key, fields: { project: { key: 'OPS' } } } }),
    },
    {
      method: 'POST',
      path: /^\/jira\/rest\/api\/2\/issue\/([A-Z]+-\d+)\/comment$/,
      body: { body: shapeOf(isMarkup) },
      answer: () => ({ status: 201, body: { id: '2' } }),
    },
    {
      method: 'GET',
      path: /^\/jira\/rest\/api\/2\/myself$/,
      answer: () => ({ body: { name: 'bot', displayName: 'Service Bot' } }),
    },
  ];
  const isSignedIn: PublishedSite['isSignedIn'] = ({ headers }) =>
    headers.authorization === `Bearer ${personalToken}`;
  return { host: dataCenterHost, calls, isSignedIn };
}
