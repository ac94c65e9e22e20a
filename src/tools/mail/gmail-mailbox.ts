import type { ConnectionTestResult } from '../../ports/connection-tester.ts';
import type { Mail, Mailbox } from '../../ports/mailbox.ts';
import type { OpenedConnection } from '../../ports/tool-connections.ts';
import { listAt, textAt, valueAt } from '../http/json-value.ts';
import { queryString } from '../http/query-string.ts';
import { textFromHtml } from '../text/from-html.ts';
import { gmailQuery } from './gmail-query.ts';
import { type MailSite, type MailSiteParts, openMailSite } from './mail-site.ts';
import { mailTextChars } from './mail-text.ts';

type GmailSettings = OpenedConnection<'gmail'>['settings'];

const gmailBase = 'https://gmail.googleapis.com/gmail/v1/users/me';

const idPattern = /^[0-9a-f]{1,32}$/i;
const partDepthMax = 10;
/** What a mail consists of, without the content of its attachments. */
const mailFields = 'id,labelIds,snippet,internalDate,payload';

/** Opens a mailbox of Gmail, with the user's consent to read it (gmail.readonly). */
export function openGmailMailbox(parts: MailSiteParts, settings: GmailSettings): Mailbox {
  const site = openGmail(parts, settings);
  return {
    async search(query, signal) {
      const parameters = {
        q: gmailQuery(query),
        maxResults: String(query.limit),
        ...(query.cursor !== undefined && { pageToken: query.cursor }),
      };
      const answer = await site.get(`${gmailBase}/messages?${queryString(parameters)}`, signal);
      const ids = listAt(answer, 'messages').flatMap((row) => textAt(row, 'id') ?? []);
      const rows: Mail[] = [];
      // One after the other: a user's quota of Gmail is counted by the second.
      for (const id of ids.filter((candidate) => idPattern.test(candidate)).slice(0, query.limit)) {
        rows.push(readMail(await readMessage(site, id, signal), id, settings.user));
      }
      const nextCursor = textAt(answer, 'nextPageToken');
      return { rows, ...(nextCursor !== null && { nextCursor }) };
    },
  };
}

/** Asks whose mailbox it is. */
export async function testGmail(
  parts: MailSiteParts,
  settings: GmailSettings,
  signal: AbortSignal,
): Promise<ConnectionTestResult> {
  const profile = await openGmail(parts, settings).get(`${gmailBase}/profile`, signal);
  const address = textAt(profile, 'emailAddress') ?? '';
  if (address.toLowerCase() !== settings.user.toLowerCase()) {
    return { ok: false, detail: `the consent is for the mailbox of another account than ${settings.user}` };
  }
  return { ok: true, detail: `reads the mailbox of ${settings.user} through Gmail` };
}

function openGmail(parts: MailSiteParts, { clientId, clientSecret, refreshToken }: GmailSettings): MailSite {
  return openMailSite(parts, 'Gmail', {
    url: 'https://oauth2.googleapis.com/token',
    parameters: {
      grant_type: 'refresh_token',
      client_id: clientId,
      client_secret: clientSecret,
      refresh_token: refreshToken,
    },
  });
}

function readMessage(site: MailSite, id: string, signal: AbortSignal): Promise<unknown> {
  return site.get(
    `${gmailBase}/messages/${id}?${queryString({ format: 'full', fields: mailFields })}`,
    signal,
  );
}

function readMail(message: unknown, id: string, user: string): Mail {
  const payload = valueAt(message, ['payload']);
  const time = new Date(Number(textAt(message, 'internalDate') ?? Number.NaN));
  return {
    id,
    subject: headerOf(payload, 'subject') ?? '',
    from: headerOf(payload, 'from'),
    to: headerOf(payload, 'to'),
    date: Number.isNaN(time.getTime()) ? null : time.toISOString(),
    unread: listAt(message, 'labelIds').includes('UNREAD'),
    link: `https://mail.google.com/mail/?authuser=${encodeURIComponent(user)}#all/${id}`,
    text: bodyText(payload) || textFromHtml(textAt(message, 'snippet') ?? '', mailTextChars),
  };
}

function headerOf(payload: unknown, name: string): string | null {
  const header = listAt(payload, 'headers').find(
    (candidate) => textAt(candidate, 'name')?.toLowerCase() === name,
  );
  return textAt(header, 'value');
}

/** The plain text of a mail, or that of its HTML. */
function bodyText(payload: unknown): string {
  const plain = partData(payload, 'text/plain');
  if (plain !== undefined) return plain.slice(0, mailTextChars);
  const html = partData(payload, 'text/html');
  return html === undefined ? '' : textFromHtml(html, mailTextChars);
}

/** The content of the first part of a type, attachments aside. */
function partData(part: unknown, type: string, depth = 0): string | undefined {
  if (depth > partDepthMax || textAt(part, 'filename') !== null) return undefined;
  const data = textAt(part, 'body', 'data');
  if (textAt(part, 'mimeType') === type && data !== null) return Buffer.from(data, 'base64url').toString();
  for (const inner of listAt(part, 'parts')) {
    const found = partData(inner, type, depth + 1);
    if (found !== undefined) return found;
  }
  return undefined;
}
