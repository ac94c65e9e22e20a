import type { MailFolder, MailQuery } from '../../ports/mailbox.ts';
import { cleanText } from '../text/clean-text.ts';

const folders: Readonly<Record<MailFolder, readonly string[]>> = {
  inbox: ['in:inbox'],
  sent: ['in:sent'],
  archive: ['-in:inbox', '-in:sent', '-in:draft'],
  all: [],
};

/** Returns what Gmail's `q` says for a query; all its parts must be met, as Gmail has it without OR. */
export function gmailQuery(query: MailQuery): string {
  return [
    ...folders[query.folder],
    ...query.terms.map(gmailPhrase),
    ...operator('from', query.from),
    ...operator('to', query.to),
    ...operator('subject', query.subject),
    // Days would be taken in Pacific time; seconds are the same everywhere.
    ...(query.since === undefined ? [] : [`after:${secondsOf(query.since)}`]),
    ...(query.before === undefined ? [] : [`before:${secondsOf(query.before)}`]),
  ].join(' ');
}

function operator(name: string, value: string | undefined): readonly string[] {
  return value === undefined ? [] : [`${name}:${gmailPhrase(value)}`];
}

/**
 * A phrase of Gmail's search, which has no escape: quotes of all kinds and backslashes become spaces. Inside, OR, AROUND,
 * braces, a leading minus and `operator:` are text.
 */
export function gmailPhrase(value: string): string {
  return `"${cleanText(value)
    .replaceAll(/["\u201c\u201d\u201e\u201f\u2033\uff02\\]/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()}"`;
}

function secondsOf(day: string): number {
  return Date.parse(`${day}T00:00:00Z`) / 1_000;
}
