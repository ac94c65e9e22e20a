import { ToolFailure } from '../../ports/tool.ts';
import type { PageQuery, Wiki, WikiPage } from '../../ports/wiki.ts';
import { hasTerms, pageOf } from '../text/match-terms.ts';
import { readPageId } from './confluence-page.ts';
import { samplePages } from './sample-pages.ts';

const space = 'DEMO';
/** Pages that may be added to one sample. */
const addedMax = 100;
const pageTextChars = 20_000;

/** A wiki with one made-up space, DEMO, so that the tools can be tried without any system. */
export function createSampleWiki(): Wiki {
  let pages: readonly WikiPage[] = samplePages;

  function find(id: string): WikiPage {
    const page = pages.find((candidate) => candidate.id === readPageId(id));
    if (page === undefined) throw new ToolFailure(`the sample wiki has no page ${id}`);
    return page;
  }

  return {
    spaces: [space],

    async search(query) {
      return pageOf(
        pages.filter((page) => isWanted(page, query)),
        query,
      );
    },

    async create({ space: key, title, text, parentId }) {
      if (key.toUpperCase() !== space) throw new ToolFailure(`the sample wiki has one space, ${space}`);
      if (pages.length >= samplePages.length + addedMax) throw new ToolFailure('the sample wiki is full');
      if (parentId !== undefined) find(parentId);
      const id = String(Math.max(...pages.map((page) => Number(page.id))) + 1);
      const link = `https://wiki.example/pages/${id}`;
      pages = [{ id, title, space, type: 'page', author: 'You', updated: null, link, text }, ...pages];
      return { key: id, link };
    },

    async comment(id, text) {
      const page = find(id);
      const commented = { ...page, text: `${page.text}\nComment by You: ${text}`.slice(-pageTextChars) };
      pages = [commented, ...pages.filter((candidate) => candidate !== page)];
      return { key: page.id, link: page.link };
    },
  };
}

function isWanted(page: WikiPage, query: PageQuery): boolean {
  return (
    hasTerms(`${page.title} ${page.text}`, query.terms) &&
    hasTerms(page.title, query.title?.split(' ') ?? []) &&
    (query.space === undefined || query.space.toUpperCase() === space) &&
    // The sample has no labels.
    query.label === undefined &&
    (query.updatedSince === undefined || page.updated === null || page.updated >= query.updatedSince)
  );
}
