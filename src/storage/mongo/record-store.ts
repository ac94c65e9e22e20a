import { type CursorPosition, formatCursor, parseCursor } from '../../domain/cursor.ts';
import type { Page, PageRequest } from '../../ports/page.ts';
import type { RecordStore } from '../../ports/store.ts';
import type { CollectionName } from './collections.ts';
import type { Database } from './database.ts';
import { type FieldsOf, fromDocument, toChange, toDocument } from './fields.ts';
import type { ListPage, Query } from './queries.ts';

interface StoredRecord {
  readonly id: string;
  readonly createdAtMs: number;
}

export interface RecordOptions<T, Filter> {
  readonly collection: CollectionName;
  readonly fields: FieldsOf<T>;
  byId(id: string): Query;
  list(filter: Filter, page: ListPage): Query;
}

/** Returns the operations on a collection of records that are listed in order of creation. */
export function createRecordStore<T extends StoredRecord, Filter = Record<never, never>>(
  database: Database,
  { collection, fields, byId, list }: RecordOptions<T, Filter>,
): RecordStore<T, Filter> & { delete(id: string): Promise<boolean> } {
  async function get(id: string): Promise<T | undefined> {
    const document = await database.findOne(byId(id));
    return document && fromDocument(fields, document);
  }

  return {
    create: (record) => database.insert(collection, toDocument(fields, record)),

    get,

    async update(id, patch) {
      const { createdAtMs: _, ...values } = patch as Partial<T>;
      const change = toChange(fields, values);
      if (Object.keys(change.$set).length + Object.keys(change.$unset).length === 0) return get(id);
      const document = await database.findAndUpdate(byId(id), change);
      return document && fromDocument(fields, document);
    },

    list: (filter, page) => readPage(database, fields, page, (listPage) => list(filter, listPage)),

    delete: (id) => database.delete(byId(id)),
  };
}

/** Reads a page of a list after the position of its cursor. */
async function readPage<T extends StoredRecord>(
  database: Database,
  fields: FieldsOf<T>,
  { limit, cursor }: PageRequest,
  query: (page: ListPage) => Query,
): Promise<Page<T>> {
  const after: CursorPosition | undefined = cursor === undefined ? undefined : parseCursor(cursor);
  const documents = await database.find(query({ after, limit: limit + 1 }));
  const data = documents.slice(0, limit).map((document) => fromDocument(fields, document));
  const last = data.at(-1);
  return documents.length > limit && last !== undefined ? { data, nextCursor: formatCursor(last) } : { data };
}
