import type { FetchMessageObject, ImapFlow, MessageAddressObject, MessageStructureObject } from 'imapflow';
import { limits } from '../../domain/limits.ts';
import type { ConnectionTestResult } from '../../ports/connection-tester.ts';
import type { Mail, Mailbox, MailFolder } from '../../ports/mailbox.ts';
import { ToolFailure } from '../../ports/tool.ts';
import { textFromHtml } from '../text/from-html.ts';
import { imapQuery } from './imap-query.ts';
import { type ImapParts, type ImapSettings, withImap } from './imap-session.ts';
import { mailTextChars } from './mail-text.ts';

/** Uses of folders that servers tell (RFC 6154). */
const specialUses: Readonly<Record<Exclude<MailFolder, 'inbox'>, string>> = {
  sent: '\\Sent',
  archive: '\\Archive',
  all: '\\All',
};

/** Opens a mailbox over IMAP. Folders are opened for reading only. */
export function openImapMailbox(parts: ImapParts, settings: ImapSettings): Mailbox {
  return {
    search: (query, signal) =>
      withImap(parts, settings, signal, async (client) => {
        const path = await folderPath(client, query.folder);
        await client.mailboxOpen(path, { readOnly: true });
        const validity = String(client.mailbox === false ? 0 : client.mailbox.uidValidity);
        const uids = await client.search(imapQuery(query, readCursor(query.cursor, validity)), { uid: true });
        if (!Array.isArray(uids)) throw new ToolFailure('the mail server could not search for this');
        const newest = uids.toSorted((a, b) => b - a).slice(0, query.limit);
        const last = newest.at(-1);
        const rows = await readMails(client, newest);
        return {
          rows,
          ...(query.cursor === undefined && { total: uids.length }),
          ...(last !== undefined && uids.length > newest.length && { nextCursor: `${validity}:${last}` }),
        };
      }),
  };
}

/** Signs in and opens the inbox. */
export function testImap(
  parts: ImapParts,
  settings: ImapSettings,
  signal: AbortSignal,
): Promise<ConnectionTestResult> {
  return withImap(parts, settings, signal, async (client) => {
    const { exists } = await client.mailboxOpen('INBOX', { readOnly: true });
    return { ok: true, detail: `signed in to ${settings.host}; the inbox holds ${exists} mails` };
  });
}

async function folderPath(client: ImapFlow, folder: MailFolder): Promise<string> {
  if (folder === 'inbox') return 'INBOX';
  const found = (await client.list()).find(({ specialUse }) => specialUse === specialUses[folder]);
  if (found !== undefined) return found.path;
  throw new ToolFailure(`this mailbox has no folder ${folder}; ask for another (inbox is always there)`);
}

/** @throws ToolFailure when the folder was made anew since (RFC 3501, section 2.3.1.1). */
function readCursor(cursor: string | undefined, validity: string): number | undefined {
  if (cursor === undefined) return undefined;
  const [givenValidity, uid] = cursor.split(':');
  if (givenValidity === validity) return Number(uid);
  throw new ToolFailure('the folder changed since; search again without page_token');
}

async function readMails(client: ImapFlow, uids: readonly number[]): Promise<readonly Mail[]> {
  if (uids.length === 0) return [];
  const query = { uid: true, flags: true, envelope: true, bodyStructure: true };
  const messages = await client.fetchAll(uids.join(','), query, { uid: true });
  const mails: Mail[] = [];
  for (const message of messages.toSorted((a, b) => b.uid - a.uid)) {
    mails.push(toMail(message, await readText(client, message)));
  }
  return mails;
}

/** The plain text of a mail, or that of its HTML; never an attachment. */
async function readText(client: ImapFlow, { uid, bodyStructure }: FetchMessageObject): Promise<string> {
  const part = findPart(bodyStructure, 'text/plain') ?? findPart(bodyStructure, 'text/html');
  if (part === undefined) return '';
  const { content } = await client.download(String(uid), part.part ?? '1', {
    uid: true,
    maxBytes: limits.systems.mailTextBytes,
  });
  if (content === undefined || content === null) return '';
  const chunks: Buffer[] = [];
  for await (const chunk of content as AsyncIterable<Buffer>) chunks.push(chunk);
  const text = Buffer.concat(chunks).toString();
  return part.type === 'text/html' ? textFromHtml(text, mailTextChars) : text.slice(0, mailTextChars);
}

function findPart(
  node: MessageStructureObject | undefined,
  type: string,
): MessageStructureObject | undefined {
  if (node === undefined || node.disposition === 'attachment') return undefined;
  if (node.type.toLowerCase() === type) return node;
  for (const child of node.childNodes ?? []) {
    const found = findPart(child, type);
    if (found !== undefined) return found;
  }
  return undefined;
}

function toMail({ uid, envelope, flags }: FetchMessageObject, text: string): Mail {
  const time = new Date(envelope?.date ?? Number.NaN);
  return {
    id: envelope?.messageId ?? String(uid),
    subject: envelope?.subject ?? '',
    from: addresses(envelope?.from),
    to: addresses(envelope?.to),
    date: Number.isNaN(time.getTime()) ? null : time.toISOString(),
    unread: flags === undefined ? null : !flags.has('\\Seen'),
    link: null,
    text,
  };
}

function addresses(list: readonly MessageAddressObject[] | undefined): string | null {
  const shown = (list ?? []).flatMap(({ name, address }) => {
    if (address === undefined || address === '') return name === undefined || name === '' ? [] : [name];
    return [name === undefined || name === '' ? address : `${name} <${address}>`];
  });
  return shown.length === 0 ? null : shown.join(', ');
}
