import type { IssueQuery } from '../../ports/tracker.ts';
import { luceneTerm, quoted } from '../text/atlassian-query.ts';

/**
 * Returns the JQL of a query. Its clauses are all joined by AND, and every value stands in quotes, so that no value can
 * add a clause; with projects, the first clause holds the result to them.
 *
 * @param projects keys of the projects that may be reached; empty: all.
 */
export function issueJql(query: IssueQuery, projects: readonly string[]): string {
  const clauses = [
    ...(projects.length > 0 ? [`project in (${projects.map(quoted).join(', ')})`] : []),
    ...equal('project', query.project),
    ...equal('issuekey', query.key),
    ...equal('status', query.status),
    ...equal('issuetype', query.type),
    ...equal('assignee', query.assignee),
    ...equal('reporter', query.reporter),
    ...(query.state === 'done' ? ['statusCategory = Done'] : []),
    ...(query.state === 'open' ? ['statusCategory != Done'] : []),
    ...(query.updatedSince === undefined ? [] : [`updated >= ${quoted(query.updatedSince)}`]),
    ...(query.createdSince === undefined ? [] : [`created >= ${quoted(query.createdSince)}`]),
    ...query.terms.map((term) => `text ~ ${quoted(luceneTerm(term))}`),
  ];
  // Jira Cloud refuses a query without any restriction.
  const bounded = clauses.length > 0 ? clauses : ['created >= "1970-01-01"'];
  return `${bounded.join(' AND ')} ORDER BY updated DESC`;
}

function equal(field: string, value: string | undefined): readonly string[] {
  return value === undefined ? [] : [`${field} = ${quoted(value)}`];
}
