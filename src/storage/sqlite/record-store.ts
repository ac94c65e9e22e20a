import type { SQLInputValue, StatementSync } from 'node:sqlite';
import { formatCursor, parseCursor } from '../../domain/cursor.ts';
import type { Page, PageRequest } from '../../ports/page.ts';
import type { Patch, RecordStore } from '../../ports/store.ts';
import { toStoreFailure } from './conflicts.ts';
import type { Database } from './database.ts';

interface StoredRecord {
  readonly id: string;
  readonly createdAtMs: number;
}

export interface TableOptions {
  readonly table: string;
  /** Column of each field that lists can be filtered by. */
  readonly filters: Readonly<Record<string, string>>;
  /** Order of lists by creation; ascending unless said. */
  readonly order?: 'ASC' | 'DESC';
  /** Called in every write, before it is committed. */
  readonly onChange?: () => void;
}

/**
 * Returns the operations on a table of JSON documents with the columns `id`, `document` and `created_at_ms`.
 *
 * A record is its document, whole; every other column is generated from it.
 */
export function createRecordStore<T extends StoredRecord, Filter extends object = Record<never, never>>(
  database: Database,
  options: TableOptions,
): RecordStore<T, Filter> & { delete(id: string): Promise<boolean> } {
  const { table, onChange = () => {} } = options;
  const insert = database.prepare(`INSERT INTO ${table} (id, document) VALUES (?, ?)`);
  const select = database.prepare(`SELECT document FROM ${table} WHERE id = ?`);
  const replace = database.prepare(`UPDATE ${table} SET document = ? WHERE id = ?`);
  const remove = database.prepare(`DELETE FROM ${table} WHERE id = ?`);
  const list = createLister<T>(database, options);

  async function write<R>(operation: () => R): Promise<R> {
    try {
      return await database.write(() => {
        const result = operation();
        onChange();
        return result;
      });
    } catch (error) {
      throw toStoreFailure(error);
    }
  }

  return {
    create: (record) => write(() => void insert.run(record.id, JSON.stringify(record))),

    get: async (id) => parseDocument<T>(select.get(id)),

    update: (id, patch) =>
      write(() => {
        const present = parseDocument<T>(select.get(id));
        if (present === undefined) return undefined;
        const record = patched(present, patch);
        replace.run(JSON.stringify(record), id);
        return record;
      }),

    list: async (filter, page) => list(filter as Readonly<Record<string, unknown>>, page),

    delete: (id) => write(() => remove.run(id).changes > 0),
  };
}

function patched<T extends StoredRecord>(present: T, patch: Patch<T>): T {
  const given = Object.entries(patch).filter(([, value]) => value !== undefined);
  return { ...present, ...Object.fromEntries(given), id: present.id, createdAtMs: present.createdAtMs };
}

/** Parses the `document` column of a row. */
export function parseDocument<T>(row: Readonly<Record<string, unknown>> | undefined): T | undefined {
  return row === undefined ? undefined : (JSON.parse(row.document as string) as T);
}

/** Returns a function that reads a page of a table in order of creation, after the position of its cursor. */
function createLister<T extends StoredRecord>(
  database: Database,
  { table, filters, order = 'ASC' }: TableOptions,
): (filter: Readonly<Record<string, unknown>>, page: PageRequest) => Page<T> {
  const statements = new Map<string, StatementSync>();

  function statement(conditions: readonly string[]): StatementSync {
    const where = conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`;
    const sql = `SELECT document FROM ${table} ${where} ORDER BY created_at_ms ${order}, id ${order} LIMIT ?`;
    const known = statements.get(sql) ?? database.prepare(sql);
    statements.set(sql, known);
    return known;
  }

  return (filter, { limit, cursor }) => {
    const conditions: string[] = [];
    const values: SQLInputValue[] = [];
    for (const [field, column] of Object.entries(filters)) {
      const value = filter[field];
      if (value === undefined) continue;
      conditions.push(`${column} = ?`);
      values.push(value as SQLInputValue);
    }
    if (cursor !== undefined) {
      const after = parseCursor(cursor);
      conditions.push(`(created_at_ms, id) ${order === 'ASC' ? '>' : '<'} (?, ?)`);
      values.push(after.createdAtMs, after.id);
    }
    const rows = statement(conditions).all(...values, limit + 1);
    const data = rows.slice(0, limit).map((row) => JSON.parse(row.document as string) as T);
    const last = data.at(-1);
    return rows.length > limit && last !== undefined ? { data, nextCursor: formatCursor(last) } : { data };
  };
}
