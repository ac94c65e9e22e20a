import type { JsonObject } from '../../domain/chat.ts';
import type { IssueQuery, ResultPage } from '../../ports/tracker.ts';

/** What differs between the two kinds of Jira. */
export interface JiraDialect {
  /** `/rest/api/3` */
  readonly api: string;
  searchRequest(jql: string, query: IssueQuery): { readonly path: string; readonly body: JsonObject };
  /** Where the next page begins, and how many rows there are in all. */
  readPaging(body: unknown): Pick<ResultPage<never>, 'nextCursor' | 'total'>;
  toBody(text: string): JsonObject | string;
  toText(body: unknown): string;
}
