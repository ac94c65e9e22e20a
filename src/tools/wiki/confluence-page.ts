import { ToolFailure } from '../../ports/tool.ts';
import type { WikiPage } from '../../ports/wiki.ts';
import { objectAt, textAt } from '../http/json-value.ts';
import { textFromHtml } from '../text/from-html.ts';

/** Most of one page's text that is kept. */
const pageTextChars = 20_000;

/** @throws ToolFailure when a text is no id of a page. */
export function readPageId(text: string): string {
  const id = text.trim();
  if (/^\d{1,20}$/.test(id)) return id;
  throw new ToolFailure('the id of a page is a number, such as 98765; a search shows it');
}

/** @throws ToolFailure unless the space is one of those that may be reached; else its key as the connection has it. */
export function checkedSpace(space: string, spaces: readonly string[]): string {
  if (spaces.length === 0) return space;
  const known = spaces.find((key) => key.toLowerCase() === space.toLowerCase());
  if (known !== undefined) return known;
  throw new ToolFailure(`only these spaces can be reached: ${spaces.join(', ')}`);
}

/**
 * Reads one result of `/rest/api/search`, which the Cloud and the Data Center share.
 *
 * @param base where the wiki's pages are for people.
 */
export function readPage(result: unknown, base: string): WikiPage | undefined {
  const content = objectAt(result, 'content');
  const id = textAt(content, 'id');
  if (id === null || !/^\d+$/.test(id)) return undefined;
  const body = textAt(content, 'body', 'storage', 'value') ?? textAt(result, 'excerpt') ?? '';
  return {
    id,
    title: unmarked(textAt(content, 'title') ?? textAt(result, 'title') ?? ''),
    space: textAt(content, 'space', 'key'),
    type: textAt(content, 'type') ?? 'page',
    author: textAt(content, 'version', 'by', 'displayName'),
    updated: textAt(content, 'version', 'when') ?? textAt(result, 'lastModified'),
    link: pageLink(base, id, textAt(result, 'url') ?? textAt(content, '_links', 'webui')),
    text: textFromHtml(unmarked(body), pageTextChars),
  };
}

/** The address of a page; `path` only when it stays on the site. */
export function pageLink(base: string, id: string, path: string | null): string {
  const isOnSite = path !== null && /^\/(?!\/)[\w.~%!$&'()*+,;=:@/?-]*$/.test(path);
  return isOnSite ? base + path : `${base}/pages/viewpage.action?pageId=${id}`;
}

/** Without the marks around words that were found. */
function unmarked(text: string): string {
  return text.replaceAll(/@@@(?:end)?hl@@@/g, '');
}
