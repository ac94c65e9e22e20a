import type { JsonObject } from '../../domain/chat.ts';
import { type Mail, type Mailbox, type MailQuery, mailFolders } from '../../ports/mailbox.ts';
import type { Random } from '../../ports/random.ts';
import { type Tool, ToolFailure } from '../../ports/tool.ts';
import type { PageTokens } from '../text/page-token.ts';
import type { ShownRow } from '../text/result-text.ts';
import { searchPage } from '../text/search-page.ts';
import { searchTerms } from '../text/search-terms.ts';
import {
  lineOf,
  objectSchema,
  optionalDay,
  optionalLine,
  pagingSchema,
  rowLimit,
  termsSchema,
  textSchema,
} from '../text/tool-arguments.ts';

export interface OfferedMailbox {
  /** Unique among those that are offered. */
  readonly name: string;
  readonly mailbox: Mailbox;
  readonly pageTokens: PageTokens;
}

/** @param mailboxes at least one; the first is searched unless another is named. */
export function createSearchMailTool(mailboxes: readonly OfferedMailbox[], random: Random): Tool {
  const names = mailboxes.map(({ name }) => name);
  return {
    name: 'search_mail',
    description: `Searches mail (${names.join('; ')}) and returns matching mails with an excerpt, the newest first. All criteria that are given must be met; with none it returns the newest.`,
    parameters: objectSchema({
      text: termsSchema,
      from: textSchema('name or address of the sender'),
      to: textSchema('name or address of a recipient'),
      subject: textSchema('words of the subject'),
      since: textSchema('day such as 2026-01-31'),
      before: textSchema('day such as 2026-01-31'),
      folder: { type: 'string', enum: mailFolders, description: 'default inbox' },
      ...(names.length > 1 && {
        mailbox: { type: 'string', enum: names, description: `default ${names[0]}` },
      }),
      ...pagingSchema,
    }),
    label: () => 'Searching mail',
    async run(args, { signal }) {
      const wanted = lineOf(args.mailbox, Number.POSITIVE_INFINITY);
      const offered = wanted === '' ? mailboxes[0] : mailboxes.find(({ name }) => name === wanted);
      if (offered === undefined) throw new ToolFailure('there is no mailbox of that name');
      const { name, mailbox, pageTokens } = offered;
      const query = readQuery(args);
      const { search } = mailbox;
      const form = { source: `the mailbox ${name}`, noun: 'mail', show: showMail };
      return searchPage(args, { ...form, pageTokens, query, search }, signal, random);
    },
  };
}

function readQuery(args: JsonObject): MailQuery {
  return {
    terms: searchTerms(lineOf(args.text, Number.POSITIVE_INFINITY)),
    ...optionalLine('from', args.from),
    ...optionalLine('to', args.to),
    ...optionalLine('subject', args.subject),
    ...optionalDay('since', args, 'since'),
    ...optionalDay('before', args, 'before'),
    folder: mailFolders.find((folder) => folder === args.folder) ?? 'inbox',
    limit: rowLimit(args),
  };
}

function showMail({ id, subject, from, to, date, unread, link, text }: Mail): ShownRow {
  return { fields: { id, subject, from, to, date, unread, link }, text };
}
