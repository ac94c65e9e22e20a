import { listAt, numberAt } from '../http/json-value.ts';
import { toWikiMarkup } from '../text/to-wiki-markup.ts';
import type { JiraDialect } from './jira-dialect.ts';
import { issueFields, issueTextChars } from './jira-issue.ts';

/** Jira Data Center and Server, REST v2: the search pages by position, texts are wiki markup. */
export const jiraDataCenter: JiraDialect = {
  api: '/rest/api/2',

  searchRequest: (jql, { limit, cursor }) => ({
    path: '/search',
    body: { jql, startAt: Number(cursor ?? 0), maxResults: limit, fields: [...issueFields] },
  }),

  readPaging(body) {
    const total = numberAt(body, 'total') ?? 0;
    const next = (numberAt(body, 'startAt') ?? 0) + listAt(body, 'issues').length;
    const isEnd = listAt(body, 'issues').length === 0 || next >= total;
    return isEnd ? { total } : { total, nextCursor: String(next) };
  },

  toBody: toWikiMarkup,
  toText: (body) => (typeof body === 'string' ? body.slice(0, issueTextChars) : ''),
};
