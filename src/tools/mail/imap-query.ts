import type { SearchObject } from 'imapflow';
import type { MailQuery } from '../../ports/mailbox.ts';
import { ToolFailure } from '../../ports/tool.ts';
import { oneLine } from '../text/clean-text.ts';

const valueChars = 200;

/**
 * Returns a query as search keys (RFC 3501, section 6.4.4), all of which must match. The client writes each value as one
 * astring (section 9), so that no value can add a key.
 *
 * @param uidBelow only mails before this one.
 * @throws ToolFailure when nothing is left of a value.
 */
export function imapQuery(query: MailQuery, uidBelow?: number): SearchObject {
  const { from, to, subject, since, before, terms } = query;
  const keys: SearchObject[] = [
    ...(from === undefined ? [] : [{ from: searchString(from) }]),
    ...(to === undefined ? [] : [{ to: searchString(to) }]),
    ...(subject === undefined ? [] : [{ subject: searchString(subject) }]),
    // By the day that a mail names itself: the day of its arrival changes when a mailbox moves.
    ...(since === undefined ? [] : [{ sentSince: new Date(`${since}T00:00:00Z`) }]),
    ...(before === undefined ? [] : [{ sentBefore: new Date(`${before}T00:00:00Z`) }]),
    ...terms.map((term) => ({ text: searchString(term) })),
    ...(uidBelow === undefined ? [] : [{ uid: `1:${Math.max(1, uidBelow - 1)}` }]),
  ];
  // An object has each key once; an `or` of one alternative is that alternative.
  return keys.reduceRight<SearchObject>(
    (rest, key) => ({ ...key, ...(Object.keys(rest).length > 0 && { or: [rest] }) }),
    keys.length === 0 ? { all: true } : {},
  );
}

/** One line; without backslashes at its beginning, where the client takes a word for the name of a flag. */
function searchString(value: string): string {
  const line = oneLine(value, valueChars).replace(/^[\\\s]+/, '');
  if (line === '') throw new ToolFailure('there is nothing to look for in one of the criteria');
  return line;
}
