import type { JsonObject } from '../../domain/chat.ts';
import type { Random } from '../../ports/random.ts';
import type { Tool } from '../../ports/tool.ts';
import type { PageQuery, Wiki, WikiPage } from '../../ports/wiki.ts';
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

export interface OfferedWiki {
  readonly wiki: Wiki;
  /** Its address, for the model. */
  readonly site: string;
  readonly pageTokens: PageTokens;
}

export function createSearchWikiTool({ wiki, site, pageTokens }: OfferedWiki, random: Random): Tool {
  return {
    name: 'search_wiki',
    description: `Searches the wiki at ${site} and returns matching pages with an excerpt, the best match first. All criteria that are given must be met; with none it returns what changed last.`,
    parameters: objectSchema({
      text: termsSchema,
      title: textSchema('words of the title'),
      space: spaceSchema(wiki),
      label: textSchema('exact name of a label'),
      updated_since: textSchema('day such as 2026-01-31'),
      ...pagingSchema,
    }),
    label: () => 'Searching the wiki',
    async run(args, { signal }) {
      const query = readQuery(args);
      const { search } = wiki;
      const form = { source: `the wiki at ${site}`, noun: 'page', show: showPage };
      return searchPage(args, { ...form, pageTokens, query, search }, signal, random);
    },
  };
}

/** Names the spaces where there are only some. */
export function spaceSchema({ spaces }: Wiki): JsonObject {
  return keySchema('space', 'HANDBOOK', spaces);
}

function readQuery(args: JsonObject): PageQuery {
  return {
    terms: searchTerms(lineOf(args.text, Number.POSITIVE_INFINITY)),
    ...optionalLine('title', args.title),
    ...optionalLine('space', args.space),
    ...optionalLine('label', args.label),
    ...optionalDay('updatedSince', args, 'updated_since'),
    limit: rowLimit(args),
  };
}

function showPage({ id, title, space, type, author, updated, link, text }: WikiPage): ShownRow {
  return { fields: { id, title, space, type, author, updated, link }, text };
}
