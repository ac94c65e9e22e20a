import type { ConnectionTestResult } from '../../ports/connection-tester.ts';
import type { Mail, Mailbox, MailFolder } from '../../ports/mailbox.ts';
import type { OpenedConnection } from '../../ports/tool-connections.ts';
import { listAt, textAt, valueAt } from '../http/json-value.ts';
import { queryString } from '../http/query-string.ts';
import { textFromHtml } from '../text/from-html.ts';
import { graphQuery } from './graph-query.ts';
import { type MailSite, type MailSiteParts, openMailSite } from './mail-site.ts';
import { mailTextChars } from './mail-text.ts';

type GraphSettings = OpenedConnection<'graph'>['settings'];

const graphBase = 'https://graph.microsoft.com/v1.0';

const folderPaths: Readonly<Record<MailFolder, string>> = {
  inbox: '/mailFolders/inbox/messages',
  sent: '/mailFolders/sentitems/messages',
  archive: '/mailFolders/archive/messages',
  all: '/messages',
};

const fields = 'id,subject,from,toRecipients,receivedDateTime,isRead,webLink,body';

/** The parameters in which the address of a next page says where it begins. */
const cursorNames = ['$skiptoken', '$skip'] as const;

/** Opens a mailbox in Microsoft 365, with the application's own permission (Mail.Read). */
export function openGraphMailbox(parts: MailSiteParts, settings: GraphSettings): Mailbox {
  const site = openGraph(parts, settings);
  return {
    async search(query, signal) {
      const { folder, limit, cursor } = query;
      const parameters = {
        ...graphQuery(query),
        $top: String(limit),
        $select: fields,
        ...parseCursor(cursor),
      };
      const url = `${userUrl(settings)}${folderPaths[folder]}?${queryString(parameters)}`;
      const answer = await site.get(url, signal, { prefer: 'outlook.body-content-type="text"' });
      const nextCursor = nextCursorOf(textAt(answer, '@odata.nextLink'));
      return {
        rows: listAt(answer, 'value')
          .slice(0, limit)
          .flatMap((row) => readMail(row) ?? []),
        ...(nextCursor !== undefined && { nextCursor }),
      };
    },
  };
}

/** Looks at the inbox. */
export async function testGraph(
  parts: MailSiteParts,
  settings: GraphSettings,
  signal: AbortSignal,
): Promise<ConnectionTestResult> {
  const site = openGraph(parts, settings);
  await site.get(
    `${userUrl(settings)}${folderPaths.inbox}?${queryString({ $top: '1', $select: 'id' })}`,
    signal,
  );
  return { ok: true, detail: `reads the mailbox of ${settings.user} through Microsoft Graph` };
}

function openGraph(parts: MailSiteParts, settings: GraphSettings): MailSite {
  const { tenantId, clientId, clientSecret } = settings;
  return openMailSite(parts, 'Microsoft Graph', {
    url: `https://login.microsoftonline.com/${encodeURIComponent(tenantId)}/oauth2/v2.0/token`,
    parameters: {
      grant_type: 'client_credentials',
      client_id: clientId,
      client_secret: clientSecret,
      scope: 'https://graph.microsoft.com/.default',
    },
  });
}

function userUrl({ user }: GraphSettings): string {
  return `${graphBase}/users/${encodeURIComponent(user)}`;
}

/** Of the next page's address only where it begins is kept; the rest is said anew. */
function nextCursorOf(link: string | null): string | undefined {
  const parameters = URL.parse(link ?? '')?.searchParams;
  const name = cursorNames.find((candidate) => parameters?.has(candidate) === true);
  return name === undefined ? undefined : `${name}=${parameters?.get(name) ?? ''}`;
}

function parseCursor(cursor: string | undefined): Readonly<Record<string, string>> {
  const [name = '', ...value] = (cursor ?? '').split('=');
  return cursor === undefined ? {} : { [name]: value.join('=') };
}

function readMail(message: unknown): Mail | undefined {
  const id = textAt(message, 'id');
  if (id === null) return undefined;
  const body = textAt(message, 'body', 'content') ?? '';
  const isHtml = textAt(message, 'body', 'contentType')?.toLowerCase() === 'html';
  const link = textAt(message, 'webLink');
  return {
    id,
    subject: textAt(message, 'subject') ?? '',
    from: addressOf(valueAt(message, ['from'])),
    to: listAt(message, 'toRecipients').map(addressOf).filter(Boolean).join(', ') || null,
    date: textAt(message, 'receivedDateTime'),
    unread: valueAt(message, ['isRead']) === false,
    link: link?.startsWith('https://') === true ? link : null,
    text: isHtml ? textFromHtml(body, mailTextChars) : body.slice(0, mailTextChars),
  };
}

function addressOf(recipient: unknown): string | null {
  const name = textAt(recipient, 'emailAddress', 'name');
  const address = textAt(recipient, 'emailAddress', 'address');
  if (address === null) return name;
  return name === null || name === address ? address : `${name} <${address}>`;
}
