import type { JsonObject } from '../../../src/domain/chat.ts';
import type { PublishedSite } from '../request-shape.ts';
import type { SiteRequest } from '../stub-sites.ts';

/**
 * Mail services as their vendors publish them: Microsoft identity platform and Graph v1.0 (learn.microsoft.com/graph),
 * Google OAuth 2.0 and the Gmail API v1 (developers.google.com/gmail/api/reference/rest).
 */

export const hosts = [
  'login.microsoftonline.com',
  'graph.microsoft.com',
  'oauth2.googleapis.com',
  'gmail.googleapis.com',
];

const form = ({ text }: SiteRequest) => Object.fromEntries(new URLSearchParams(text));
const isForm = ({ headers }: SiteRequest) => headers['content-type'] === 'application/x-www-form-urlencoded';
const isBearer = (token: string) => (request: SiteRequest) =>
  request.headers.authorization === `Bearer ${token}`;
const refusedToken = { status: 400, body: { error: 'invalid_client', error_description: 'wrong SECRET' } };

/** Answers a token request whose form is exactly as wanted. A body that is no JSON is not of the published form. */
function tokenSite(host: string, path: RegExp, wanted: Readonly<Record<string, string>>, token: string) {
  const answer = (request: SiteRequest) =>
    isForm(request) && JSON.stringify(form(request)) === JSON.stringify(wanted)
      ? { body: { token_type: 'Bearer', expires_in: 3_599, access_token: token } }
      : refusedToken;
  return { host, path, answer };
}

export const microsoftToken = tokenSite(
  'login.microsoftonline.com',
  /^\/tenant-1\/oauth2\/v2\.0\/token$/,
  {
    grant_type: 'client_credentials',
    client_id: 'client-1',
    client_secret: 'GRAPH-SECRET',
    scope: 'https://graph.microsoft.com/.default',
  },
  'graph-token',
);

export const googleToken = tokenSite(
  'oauth2.googleapis.com',
  /^\/token$/,
  {
    grant_type: 'refresh_token',
    client_id: 'client-2',
    client_secret: 'GMAIL-SECRET',
    refresh_token: 'REFRESH-SECRET',
  },
  'gmail-token',
);

const graphMessage = (id: string, fields: JsonObject = {}): JsonObject => ({
  '@odata.etag': 'W/"x"',
  id,
  receivedDateTime: '2026-05-05T07:31:00Z',
  subject: `Invoices ${id}`,
  isRead: false,
  webLink: `https://outlook.office365.com/owa/?ItemID=${id}`,
  body: { contentType: 'text', content: 'Two are without a purchase order.' },
  from: { emailAddress: { name: 'Priya Raman', address: 'priya@example.com' } },
  toRecipients: [{ emailAddress: { name: 'ada@example.com', address: 'ada@example.com' } }],
  ...fields,
});

const listQuery = {
  $search: /^".*"$/s,
  $filter: /./,
  $orderby: /^receivedDateTime desc$/,
  $top: /^\d+$/,
  $select: /^[\w,]+$/,
  $skiptoken: /./,
  $skip: /^\d+$/,
};

const graphError = (problem: string) => ({
  status: 400,
  body: { error: { code: 'BadRequest', message: problem } },
});

export const graphSite: PublishedSite = {
  host: 'graph.microsoft.com',
  isSignedIn: isBearer('graph-token'),
  refusal: graphError,
  calls: [
    {
      method: 'GET',
      path: /^\/v1\.0\/users\/ada%40example\.com(?:\/mailFolders\/(?:inbox|sentitems|archive))?\/messages$/,
      query: listQuery,
      answer({ path, query }) {
        if (query.has('$search') && (query.has('$filter') || query.has('$orderby'))) {
          return graphError('The query parameter $orderBy is not supported with $search.');
        }
        const isFirst = !query.has('$skiptoken');
        const next = `https://graph.microsoft.com${path}?$search=stolen&$skiptoken=R0usmci39OQxq%2fJN4HQ`;
        return {
          body: {
            value: isFirst
              ? [
                  graphMessage('m1'),
                  graphMessage('m2', { body: { contentType: 'html', content: '<p>a<br>b</p>' } }),
                ]
              : [graphMessage('m3', { webLink: 'javascript:alert(1)', isRead: true, from: null })],
            ...(isFirst && { '@odata.nextLink': next }),
          },
        };
      },
    },
  ],
};

const base64url = (text: string) => Buffer.from(text).toString('base64url');

const gmailMessages: Readonly<Record<string, JsonObject>> = {
  '18f1': {
    id: '18f1',
    labelIds: ['INBOX', 'UNREAD'],
    snippet: 'Two are &lt;b&gt; without',
    internalDate: '1777966260000',
    payload: {
      mimeType: 'multipart/mixed',
      headers: [
        { name: 'From', value: 'Priya Raman <priya@example.com>' },
        { name: 'TO', value: 'ada@example.com' },
        { name: 'Subject', value: 'Invoices' },
      ],
      parts: [
        {
          mimeType: 'multipart/alternative',
          parts: [
            { mimeType: 'text/plain', body: { data: base64url('Two are without a purchase order – ÄÖÜ.') } },
            { mimeType: 'text/html', body: { data: base64url('<p>Two</p>') } },
          ],
        },
        { mimeType: 'text/plain', filename: 'secret.txt', body: { data: base64url('attached') } },
      ],
    },
  },
  '18f2': {
    id: '18f2',
    snippet: 'only &lt;this&gt;',
    internalDate: 'x',
    payload: { mimeType: 'image/png', headers: [], body: { attachmentId: 'a' } },
  },
};

export const gmailSite: PublishedSite = {
  host: 'gmail.googleapis.com',
  isSignedIn: isBearer('gmail-token'),
  calls: [
    {
      method: 'GET',
      path: /^\/gmail\/v1\/users\/me\/messages$/,
      query: { q: /^/, maxResults: /^\d+$/, pageToken: /./ },
      answer: ({ query }) => ({
        body:
          query.get('pageToken') === null
            ? { messages: [{ id: '18f1', threadId: '18f1' }], nextPageToken: '0912', resultSizeEstimate: 2 }
            : {
                messages: [{ id: '18f2', threadId: '18f2' }, { id: '../../profile' }],
                resultSizeEstimate: 2,
              },
      }),
    },
    {
      method: 'GET',
      path: /^\/gmail\/v1\/users\/me\/messages\/(\w+)$/,
      query: { format: /^(?:full|metadata)$/, fields: /^[\w,]+$/ },
      answer: (_, [, id = '']) => ({ body: gmailMessages[id] ?? {} }),
    },
    {
      method: 'GET',
      path: /^\/gmail\/v1\/users\/me\/profile$/,
      answer: () => ({ body: { emailAddress: 'Ada@example.com', messagesTotal: 2 } }),
    },
  ],
};
