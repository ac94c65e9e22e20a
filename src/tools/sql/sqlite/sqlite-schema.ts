import type { DatabaseSync } from 'node:sqlite';
import type { SqlForeignKey, SqlTable } from '../../../domain/sql/schema.ts';

const rowsMax = 20_000;

/** Real tables and views of the main database, without SQLite's own and those that hold virtual tables' data. */
const tablesQuestion = `
  SELECT name, type FROM pragma_table_list
  WHERE schema = 'main' AND type IN ('table', 'view', 'virtual') AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
  ORDER BY name LIMIT ${rowsMax}`;

/** Reads what a database holds. */
export function readSqliteSchema(database: DatabaseSync): readonly SqlTable[] {
  const columnsOf = database.prepare(
    'SELECT name, type, pk FROM pragma_table_xinfo(?) WHERE hidden <> 1 ORDER BY cid',
  );
  const keysOf = database.prepare(
    'SELECT id, "table" AS target, "from" AS col, "to" AS target_col FROM pragma_foreign_key_list(?) ORDER BY id, seq',
  );
  return database
    .prepare(tablesQuestion)
    .all()
    .flatMap(({ name, type }) => {
      try {
        const columns = columnsOf.all(name ?? null);
        return [
          {
            name: quoted(name),
            isView: type === 'view',
            columns: columns.map((column) => ({
              name: quoted(column.name),
              type: String(column.type).toLowerCase(),
            })),
            primaryKey: columns
              .filter(({ pk }) => Number(pk) > 0)
              .sort((one, other) => Number(one.pk) - Number(other.pk))
              .map((column) => quoted(column.name)),
            foreignKeys: foreignKeys(keysOf.all(name ?? null)),
          },
        ];
      } catch {
        // A view of tables that are gone cannot be described, nor read.
        return [];
      }
    });
}

function foreignKeys(rows: readonly Readonly<Record<string, unknown>>[]): readonly SqlForeignKey[] {
  const keys = new Map<unknown, { columns: string[]; table: string; referenced: string[] }>();
  for (const row of rows) {
    const key = keys.get(row.id) ?? { columns: [], table: quoted(row.target), referenced: [] };
    key.columns.push(quoted(row.col));
    if (row.target_col !== null) key.referenced.push(quoted(row.target_col));
    keys.set(row.id, key);
  }
  return [...keys.values()];
}

function quoted(name: unknown): string {
  const text = String(name);
  return /^[A-Za-z_]\w*$/.test(text) ? text : `"${text.replaceAll('"', '""')}"`;
}
