import type { SearchObject } from 'imapflow';
import type { MailQuery } from '../../ports/mailbox.ts';

/**
 * Returns a query as search keys (RFC 3501, section 6.4.4), all of which must match. The client writes each value as one
 * astring, so that no value can add a key.
 *
 * @param uidBelow only mails before this one.
 */
export function imapQuery(query: MailQuery, uidBelow?: number): SearchObject {
  const { from, to, subject, since, before, terms } = query;
  const keys: SearchObject[] = [
    ...(from === undefined ? [] : [{ from }]),
    ...(to === undefined ? [] : [{ to }]),
    ...(subject === undefined ? [] : [{ subject }]),
    // By the day that a mail names itself: the day of its arrival changes when a mailbox moves.
    ...(since === undefined ? [] : [{ sentSince: new Date(`${since}T00:00:00Z`) }]),
    ...(before === undefined ? [] : [{ sentBefore: new Date(`${before}T00:00:00Z`) }]),
    ...terms.map((text) => ({ text })),
    ...(uidBelow === undefined ? [] : [{ uid: `1:${Math.max(1, uidBelow - 1)}` }]),
  ];
  // An object has each key once; an `or` of one alternative is that alternative.
  return keys.reduceRight<SearchObject>(
    (rest, key) => ({ ...key, ...(Object.keys(rest).length > 0 && { or: [rest] }) }),
    keys.length === 0 ? { all: true } : {},
  );
}
