import { ToolFailure } from '../../ports/tool.ts';
import { listAt, textAt } from '../http/json-value.ts';
import { queryString } from '../http/query-string.ts';
import type { Site } from '../http/site.ts';
import { toStorageFormat } from '../text/to-storage-format.ts';
import type { ConfluenceDialect } from './confluence-dialect.ts';
import { readPageId } from './confluence-page.ts';

/** Confluence Cloud: the search of REST v1, which alone knows CQL, and v2 for all that is written. */
export const confluenceCloud: ConfluenceDialect = {
  cursorName: 'cursor',

  readNextCursor(answer) {
    const next = textAt(answer, '_links', 'next');
    const cursor = next === null ? null : URL.parse(next, 'https://site.invalid')?.searchParams.get('cursor');
    return cursor ?? undefined;
  },

  async spaceOf(site, pageId, signal) {
    const page = await site.get(`/api/v2/pages/${pageId}`, signal);
    const spaceId = readPageId(textAt(page, 'spaceId') ?? '');
    return textAt(await site.get(`/api/v2/spaces/${spaceId}`, signal), 'key') ?? '';
  },

  async create(site, { space, title, text, parentId }, signal) {
    const found = await findSpace(site, space, signal);
    const answer = await site.post(
      '/api/v2/pages',
      {
        spaceId: readPageId(textAt(found, 'id') ?? ''),
        status: 'current',
        title,
        ...(parentId !== undefined && { parentId }),
        body: { representation: 'storage', value: toStorageFormat(text) },
      },
      signal,
    );
    return { id: textAt(answer, 'id') ?? '' };
  },

  async comment(site, pageId, text, signal) {
    const body = { representation: 'storage', value: toStorageFormat(text) };
    await site.post('/api/v2/footer-comments', { pageId, body }, signal);
  },

  findSpace,
};

async function findSpace(site: Site, key: string, signal: AbortSignal): Promise<unknown> {
  const answer = await site.get(`/api/v2/spaces?${queryString({ keys: key })}`, signal);
  const space = listAt(answer, 'results').find(
    (candidate) => textAt(candidate, 'key')?.toLowerCase() === key.toLowerCase(),
  );
  if (space === undefined)
    throw new ToolFailure('Confluence has no space of that key that the account may see');
  return space;
}
