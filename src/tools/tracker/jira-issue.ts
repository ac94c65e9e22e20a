import { ToolFailure } from '../../ports/tool.ts';
import type { Issue, WrittenEntry } from '../../ports/tracker.ts';
import { listAt, textAt } from '../http/json-value.ts';

/** Fields that a search asks for. */
export const issueFields = [
  'summary',
  'issuetype',
  'status',
  'priority',
  'assignee',
  'reporter',
  'created',
  'updated',
  'description',
] as const;

/** Most of one issue's text that is kept. */
export const issueTextChars = 20_000;

const keyPattern = /^[A-Z][A-Z0-9_]{0,49}-\d{1,12}$/;

/** @throws ToolFailure when a text is no key of an issue. */
export function readIssueKey(text: string): string {
  const key = text.trim().toUpperCase();
  if (keyPattern.test(key)) return key;
  throw new ToolFailure('key must be the key of an issue, such as OPS-12');
}

/** The project that a key is in. */
export function projectOf(key: string): string {
  return key.slice(0, key.lastIndexOf('-'));
}

/** @throws ToolFailure unless the project is one of those that may be reached. */
export function assertProject(project: string, projects: readonly string[]): void {
  if (projects.length === 0 || projects.includes(project)) return;
  throw new ToolFailure(`only these projects can be reached: ${projects.join(', ')}`);
}

/**
 * Reads an issue of REST v2 or v3.
 *
 * @param toText turns a description or comment into plain text.
 */
export function readIssue(
  issue: unknown,
  site: string,
  toText: (body: unknown) => string,
): Issue | undefined {
  const key = textAt(issue, 'key');
  if (key === null || !keyPattern.test(key)) return undefined;
  const field = (...path: readonly string[]) => textAt(issue, 'fields', ...path);
  const comments = listAt(issue, 'fields', 'comment', 'comments').map((comment) => {
    const author = textAt(comment, 'author', 'displayName') ?? 'somebody';
    return `Comment by ${author}: ${toText((comment as { body?: unknown }).body)}`;
  });
  const description = toText((issue as { fields?: { description?: unknown } }).fields?.description);
  return {
    key,
    title: field('summary') ?? '',
    type: field('issuetype', 'name'),
    status: field('status', 'name'),
    priority: field('priority', 'name'),
    assignee: field('assignee', 'displayName'),
    reporter: field('reporter', 'displayName'),
    created: field('created'),
    updated: field('updated'),
    link: `${site}/browse/${key}`,
    text: [description, ...comments]
      .filter((part) => part !== '')
      .join('\n')
      .slice(0, issueTextChars),
  };
}

/** Reads the answer to a written issue. */
export function readWritten(body: unknown, site: string): WrittenEntry {
  const key = textAt(body, 'key') ?? '';
  if (!keyPattern.test(key)) throw new ToolFailure('Jira did not name the issue that it made');
  return { key, link: `${site}/browse/${key}` };
}
