import type { MailQuery } from '../../ports/mailbox.ts';
import { cleanText } from '../text/clean-text.ts';

/**
 * Returns the query parameters that find mails in Microsoft Graph. `$search` excludes `$filter` and `$orderby`, and
 * sorts by date itself; a query of days alone is a `$filter`.
 */
export function graphQuery(query: MailQuery): Readonly<Record<string, string>> {
  const clauses = [
    ...query.terms.map(kqlPhrase),
    ...property('from', query.from),
    ...property('to', query.to),
    ...property('subject', query.subject),
  ];
  if (clauses.length === 0) return { ...dayFilter(query), $orderby: 'receivedDateTime desc' };
  const days = [
    ...(query.since === undefined ? [] : [`received>=${query.since}`]),
    ...(query.before === undefined ? [] : [`received<${query.before}`]),
  ];
  const kql = [...clauses, ...days].join(' AND ');
  // The value of $search stands in quotes itself: what they hold is escaped once more.
  return { $search: `"${kql.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"` };
}

function property(name: string, value: string | undefined): readonly string[] {
  return value === undefined ? [] : [`${name}:${kqlPhrase(value)}`];
}

/**
 * A phrase of KQL (Keyword Query Language), which has no escape: what could end it or widen it, quotes of all kinds,
 * backslashes and the wildcard, becomes a space. Inside, AND, OR, NOT, NEAR and `property:` are words.
 */
export function kqlPhrase(value: string): string {
  return `"${cleanText(value)
    .replaceAll(/["\u201c\u201d\u201e\u201f\u2033\uff02\\*]/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()}"`;
}

/** The days are digits and hyphens (`readDay`). */
function dayFilter({ since, before }: MailQuery): Readonly<Record<string, string>> {
  const parts = [
    ...(since === undefined ? [] : [`receivedDateTime ge ${since}T00:00:00Z`]),
    ...(before === undefined ? [] : [`receivedDateTime lt ${before}T00:00:00Z`]),
  ];
  return parts.length === 0 ? {} : { $filter: parts.join(' and ') };
}
