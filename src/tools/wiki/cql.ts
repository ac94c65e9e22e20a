import type { PageQuery } from '../../ports/wiki.ts';
import { luceneTerm, quoted } from '../text/atlassian-query.ts';

/**
 * Returns the CQL of a query. Its clauses are all joined by AND, and every value stands in quotes, so that no value can
 * add a clause; with spaces, the first clause holds the result to them.
 *
 * @param spaces keys of the spaces that may be reached; empty: all.
 */
export function pageCql(query: PageQuery, spaces: readonly string[]): string {
  const clauses = [
    ...(spaces.length > 0 ? [`space in (${spaces.map(quoted).join(', ')})`] : []),
    'type in (page, blogpost)',
    ...(query.space === undefined ? [] : [`space = ${quoted(query.space)}`]),
    ...(query.label === undefined ? [] : [`label = ${quoted(query.label)}`]),
    ...(query.title === undefined ? [] : [`title ~ ${quoted(luceneTerm(query.title))}`]),
    ...(query.updatedSince === undefined ? [] : [`lastmodified >= ${quoted(query.updatedSince)}`]),
    ...query.terms.map((term) => `text ~ ${quoted(luceneTerm(term))}`),
  ];
  // With words to look for, the system's own order is the best match first.
  const order = query.terms.length > 0 || query.title !== undefined ? '' : ' ORDER BY lastmodified DESC';
  return clauses.join(' AND ') + order;
}
