import { ToolFailure } from '../../ports/tool.ts';
import type { Issue, IssueQuery, Tracker } from '../../ports/tracker.ts';
import { hasTerms, pageOf } from '../text/match-terms.ts';
import { readIssueKey } from './jira-issue.ts';
import { sampleIssues } from './sample-issues.ts';

const project = 'DEMO';
/** Issues that may be added to one sample. */
const addedMax = 100;

/** A tracker with one made-up project, DEMO, so that the tools can be tried without any system. */
export function createSampleTracker(): Tracker {
  let issues: readonly Issue[] = sampleIssues;
  let lastNumber = sampleIssues.length;

  return {
    projects: [project],

    async search(query) {
      return pageOf(
        issues.filter((issue) => isWanted(issue, query)),
        query,
      );
    },

    async create({ project: key, type, title, description }) {
      if (key.toUpperCase() !== project)
        throw new ToolFailure(`the sample tracker has one project, ${project}`);
      if (issues.length >= sampleIssues.length + addedMax)
        throw new ToolFailure('the sample tracker is full');
      lastNumber += 1;
      const issue: Issue = {
        key: `${project}-${lastNumber}`,
        title,
        type,
        status: 'To Do',
        priority: 'Medium',
        assignee: null,
        reporter: 'You',
        created: null,
        updated: null,
        link: `https://tracker.example/browse/${project}-${lastNumber}`,
        text: description,
      };
      issues = [issue, ...issues];
      return issue;
    },

    async comment(givenKey, text) {
      const key = readIssueKey(givenKey);
      const issue = issues.find((candidate) => candidate.key === key);
      if (issue === undefined) throw new ToolFailure(`the sample tracker has no issue ${key}`);
      const commented = { ...issue, text: `${issue.text}\nComment by You: ${text}`.slice(-commentsChars) };
      issues = [commented, ...issues.filter((candidate) => candidate.key !== key)];
      return commented;
    },
  };
}

const commentsChars = 20_000;

function isWanted(issue: Issue, query: IssueQuery): boolean {
  const isDone = issue.status === 'Done';
  return (
    hasTerms(`${issue.key} ${issue.title} ${issue.text}`, query.terms) &&
    is(issue.key, query.key) &&
    is(project, query.project) &&
    is(issue.status, query.status) &&
    is(issue.type, query.type) &&
    is(issue.assignee, query.assignee) &&
    is(issue.reporter, query.reporter) &&
    (query.state === undefined || (query.state === 'done') === isDone) &&
    isSince(issue.updated, query.updatedSince) &&
    isSince(issue.created, query.createdSince)
  );
}

function is(value: string | null, wanted: string | undefined): boolean {
  return wanted === undefined || value?.toLowerCase() === wanted.toLowerCase();
}

/** What was just written has no date, and is newer than any. */
function isSince(time: string | null, day: string | undefined): boolean {
  return day === undefined || time === null || time >= day;
}
