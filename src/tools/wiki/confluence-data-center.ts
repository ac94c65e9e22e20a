import { listAt, numberAt, textAt } from '../http/json-value.ts';
import { toStorageFormat } from '../text/to-storage-format.ts';
import type { ConfluenceDialect } from './confluence-dialect.ts';

/** Confluence Data Center and Server: REST v1 for everything; the search pages by position. */
export const confluenceDataCenter: ConfluenceDialect = {
  cursorName: 'start',

  readNextCursor(answer) {
    const size = listAt(answer, 'results').length;
    const isEnd = size === 0 || textAt(answer, '_links', 'next') === null;
    return isEnd ? undefined : String((numberAt(answer, 'start') ?? 0) + size);
  },

  async spaceOf(site, pageId, signal) {
    const content = await site.get(`/rest/api/content/${pageId}?expand=space`, signal);
    return textAt(content, 'space', 'key') ?? '';
  },

  async create(site, { space, title, text, parentId }, signal) {
    const answer = await site.post(
      '/rest/api/content',
      {
        type: 'page',
        title,
        space: { key: space },
        ...(parentId !== undefined && { ancestors: [{ id: parentId }] }),
        body: { storage: { value: toStorageFormat(text), representation: 'storage' } },
      },
      signal,
    );
    return { id: textAt(answer, 'id') ?? '' };
  },

  async comment(site, pageId, text, signal) {
    await site.post(
      '/rest/api/content',
      {
        type: 'comment',
        container: { id: pageId, type: 'page' },
        body: { storage: { value: toStorageFormat(text), representation: 'storage' } },
      },
      signal,
    );
  },

  findSpace: (site, key, signal) => site.get(`/rest/api/space/${encodeURIComponent(key)}`, signal),
};
