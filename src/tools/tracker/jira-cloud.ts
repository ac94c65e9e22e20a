import { textAt } from '../http/json-value.ts';
import { textFromAdf } from '../text/from-adf.ts';
import { toAdf } from '../text/to-adf.ts';
import type { JiraDialect } from './jira-dialect.ts';
import { issueFields, issueTextChars } from './jira-issue.ts';

/** Jira Cloud, REST v3: the search pages by token, texts are ADF documents. */
export const jiraCloud: JiraDialect = {
  api: '/rest/api/3',

  searchRequest: (jql, { limit, cursor }) => ({
    path: '/search/jql',
    body: {
      jql,
      maxResults: limit,
      // The first comments come along, so that a match in one can be shown.
      fields: [...issueFields, 'comment'],
      ...(cursor !== undefined && { nextPageToken: cursor }),
    },
  }),

  readPaging(body) {
    const nextCursor = textAt(body, 'nextPageToken');
    return nextCursor === null ? {} : { nextCursor };
  },

  toBody: toAdf,
  toText: (body) => textFromAdf(body, issueTextChars),
};
