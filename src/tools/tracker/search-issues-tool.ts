import type { JsonObject } from '../../domain/chat.ts';
import type { Random } from '../../ports/random.ts';
import type { Tool } from '../../ports/tool.ts';
import type { Issue, IssueQuery, Tracker } from '../../ports/tracker.ts';
import type { PageTokens } from '../text/page-token.ts';
import type { ShownRow } from '../text/result-text.ts';
import { searchPage } from '../text/search-page.ts';
import { searchTerms } from '../text/search-terms.ts';
import {
  keySchema,
  lineOf,
  objectSchema,
  optionalDay,
  optionalLine,
  pagingSchema,
  rowLimit,
  termsSchema,
  textSchema,
} from '../text/tool-arguments.ts';

export interface OfferedTracker {
  readonly tracker: Tracker;
  /** Its address, for the model; `demo` for the sample. */
  readonly site: string;
  readonly pageTokens: PageTokens;
}

export function createSearchIssuesTool({ tracker, site, pageTokens }: OfferedTracker, random: Random): Tool {
  return {
    name: 'search_issues',
    description: `Searches the issue tracker at ${site} and returns matching issues, what changed last first. All criteria that are given must be met; with none it returns what changed last.`,
    parameters: objectSchema({
      text: termsSchema,
      key: textSchema('key of one issue, such as OPS-12'),
      project: projectSchema(tracker),
      status: textSchema('exact name of a status'),
      state: { type: 'string', enum: ['open', 'done'], description: 'whether it is finished' },
      type: textSchema('exact name of an issue type, such as Bug'),
      assignee: textSchema('name or mail address of who works on it'),
      reporter: textSchema('name or mail address of who reported it'),
      updated_since: textSchema('day such as 2026-01-31'),
      created_since: textSchema('day such as 2026-01-31'),
      ...pagingSchema,
    }),
    label: () => 'Searching the issue tracker',
    async run(args, { signal }) {
      const query = readQuery(args);
      const { search } = tracker;
      const form = { source: `the issue tracker at ${site}`, noun: 'issue', show: showIssue };
      return searchPage(args, { ...form, pageTokens, query, search }, signal, random);
    },
  };
}

/** Names the projects where there are only some. */
export function projectSchema({ projects }: Tracker): JsonObject {
  return keySchema('project', 'OPS', projects);
}

function readQuery(args: JsonObject): IssueQuery {
  const state = args.state;
  return {
    terms: searchTerms(lineOf(args.text, Number.POSITIVE_INFINITY)),
    ...optionalLine('key', args.key),
    ...optionalLine('project', args.project),
    ...optionalLine('status', args.status),
    ...(state === 'open' || state === 'done' ? { state } : {}),
    ...optionalLine('type', args.type),
    ...optionalLine('assignee', args.assignee),
    ...optionalLine('reporter', args.reporter),
    ...optionalDay('updatedSince', args, 'updated_since'),
    ...optionalDay('createdSince', args, 'created_since'),
    limit: rowLimit(args),
  };
}

function showIssue({ key, title, type, status, priority, ...issue }: Issue): ShownRow {
  const { assignee, reporter, created, updated, link, text } = issue;
  return { fields: { key, title, type, status, priority, assignee, reporter, created, updated, link }, text };
}
