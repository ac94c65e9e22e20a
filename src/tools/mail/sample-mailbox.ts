import type { Mail, Mailbox, MailQuery } from '../../ports/mailbox.ts';
import { hasTerms, pageOf } from '../text/match-terms.ts';

type Row = readonly [subject: string, from: string, date: string, unread: boolean, text: string];

const owner = 'You <you@example.com>';

/** The newest first; made up, as are the people in it. */
const rows: readonly Row[] = [
  [
    'Re: Norwegian orders',
    'Mara Lindqvist <mara@example.com>',
    '2026-05-08T14:52:00.000Z',
    true,
    'Found it: the tax table lacks the EFTA countries (DEMO-6). A fix goes out with the release on Tuesday. Until then please tell customers that they get the difference back.',
  ],
  [
    'Invoices for April',
    'Priya Raman <priya@example.com>',
    '2026-05-05T07:31:00.000Z',
    false,
    'Attached are the invoices for April. Two are still without a purchase order: Nordlicht and Casa Verde.',
  ],
  [
    'Offsite in September: pick a place',
    'Lucía Ortega <lucia@example.com>',
    '2026-04-30T16:05:00.000Z',
    false,
    'Valencia, Ljubljana or Gdansk? All three can be reached by train. Please answer until Friday.',
  ],
  [
    'Backup alert, order database',
    'Monitoring <alerts@example.com>',
    '2026-04-28T03:41:00.000Z',
    false,
    'The backup of the order database took 4 h 10 min (limit 4 h).',
  ],
];

const mails: readonly Mail[] = rows.map(([subject, from, date, unread, text], index) => ({
  id: `<sample-${rows.length - index}@example.com>`,
  subject,
  from,
  to: owner,
  date,
  unread,
  link: null,
  text,
}));

/** A made-up inbox, so that the tool can be tried without any system. Its other folders are empty. */
export const sampleMailbox: Mailbox = {
  async search(query) {
    const isIn = query.folder === 'inbox' || query.folder === 'all';
    return pageOf(isIn ? mails.filter((mail) => isWanted(mail, query)) : [], query);
  },
};

function isWanted(mail: Mail, { terms, from, to, subject, since, before }: MailQuery): boolean {
  const date = mail.date ?? '';
  return (
    hasTerms(`${mail.subject} ${mail.from} ${mail.to} ${mail.text}`, terms) &&
    hasTerms(mail.from ?? '', from === undefined ? [] : [from]) &&
    hasTerms(mail.to ?? '', to === undefined ? [] : [to]) &&
    hasTerms(mail.subject, subject?.split(' ') ?? []) &&
    (since === undefined || date >= since) &&
    (before === undefined || date < before)
  );
}
