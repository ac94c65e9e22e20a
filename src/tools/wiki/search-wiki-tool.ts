import type { JsonObject } from '../../domain/chat.ts';
import type { Random } from '../../ports/random.ts';
import type { Tool } from '../../ports/tool.ts';
import type { PageQuery, Wiki, WikiPage } from '../../ports/wiki.ts';
import type { PageTokens } from '../text/page-token.ts';
import { resultText, type ShownRow } from '../text/result-text.ts';
import { searchTerms } from '../text/search-terms.ts';
import {
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
      const token = lineOf(args.page_token, Number.POSITIVE_INFINITY);
      const cursor = token === '' ? {} : { cursor: pageTokens.open(token, query) };
      const page = await wiki.search({ ...query, ...cursor }, signal);
      return resultText(
        page,
        {
          source: `the wiki at ${site}`,
          noun: 'page',
          terms: query.terms,
          show: showPage,
          sealCursor: (next) => pageTokens.seal(next, query),
        },
        random,
      );
    },
  };
}

/** Names the spaces where there are only some. */
export function spaceSchema({ spaces }: Wiki): JsonObject {
  const schema = textSchema('key of a space, such as HANDBOOK');
  return spaces.length === 0 ? schema : { type: 'string', enum: spaces, description: 'key of a space' };
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
