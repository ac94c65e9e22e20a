import type { SqlForeignKey, SqlTable } from '../../../domain/sql/schema.ts';
import type { MysqlSession } from './mysql-session.ts';

const rowsMax = 20_000;
const systemSchemas = "('mysql', 'information_schema', 'performance_schema', 'sys')";

const columnsQuestion = `
  SELECT c.TABLE_SCHEMA AS db, c.TABLE_NAME AS tbl, c.COLUMN_NAME AS col, c.COLUMN_TYPE AS type, c.COLUMN_KEY AS ckey,
    c.TABLE_SCHEMA <=> DATABASE() AS is_own, t.TABLE_TYPE LIKE '%VIEW' AS is_view
  FROM information_schema.COLUMNS c
  JOIN information_schema.TABLES t ON t.TABLE_SCHEMA = c.TABLE_SCHEMA AND t.TABLE_NAME = c.TABLE_NAME
  WHERE c.TABLE_SCHEMA NOT IN ${systemSchemas} AND (DATABASE() IS NULL OR c.TABLE_SCHEMA = DATABASE())
  ORDER BY c.TABLE_SCHEMA, c.TABLE_NAME, c.ORDINAL_POSITION
  LIMIT ${rowsMax}`;

const keysQuestion = `
  SELECT TABLE_SCHEMA AS db, TABLE_NAME AS tbl, CONSTRAINT_NAME AS name, COLUMN_NAME AS col,
    REFERENCED_TABLE_SCHEMA AS target_db, REFERENCED_TABLE_NAME AS target, REFERENCED_COLUMN_NAME AS target_col
  FROM information_schema.KEY_COLUMN_USAGE
  WHERE TABLE_SCHEMA NOT IN ${systemSchemas} AND (DATABASE() IS NULL OR TABLE_SCHEMA = DATABASE())
    AND (CONSTRAINT_NAME = 'PRIMARY' OR REFERENCED_TABLE_NAME IS NOT NULL)
  ORDER BY TABLE_SCHEMA, TABLE_NAME, CONSTRAINT_NAME, ORDINAL_POSITION
  LIMIT ${rowsMax}`;

type Row = Readonly<Record<string, unknown>>;

interface TableDraft {
  readonly name: string;
  readonly isView: boolean;
  readonly columns: { readonly name: string; readonly type: string }[];
  readonly primaryKey: string[];
  readonly foreignKeys: Map<string, SqlForeignKey & { columns: string[]; referenced: string[] }>;
}

/** Reads what the account can see of the tables of its database; without one, of all but the server's own. */
export async function readMysqlSchema(session: MysqlSession): Promise<readonly SqlTable[]> {
  const drafts = new Map<string, TableDraft>();
  const idOf = (row: Row) => JSON.stringify([row.db, row.tbl]);
  const columns = await session.rows(columnsQuestion);
  const ownDatabase = columns.find((row) => Boolean(row.is_own))?.db;
  const nameOf = (database: unknown, table: unknown) =>
    database === ownDatabase ? quoted(table) : `${quoted(database)}.${quoted(table)}`;
  for (const row of columns) {
    const draft: TableDraft = drafts.get(idOf(row)) ?? {
      name: nameOf(row.db, row.tbl),
      isView: Boolean(row.is_view),
      columns: [],
      primaryKey: [],
      foreignKeys: new Map(),
    };
    draft.columns.push({ name: quoted(row.col), type: String(row.type) });
    drafts.set(idOf(row), draft);
  }
  for (const row of await session.rows(keysQuestion)) {
    const draft = drafts.get(idOf(row));
    if (draft !== undefined) addKey(draft, row, nameOf);
  }
  return [...drafts.values()].map((draft) => ({ ...draft, foreignKeys: [...draft.foreignKeys.values()] }));
}

function addKey(draft: TableDraft, row: Row, nameOf: (database: unknown, table: unknown) => string): void {
  const column = quoted(row.col);
  if (row.target === null) {
    draft.primaryKey.push(column);
    return;
  }
  const id = String(row.name);
  const key = draft.foreignKeys.get(id) ?? {
    columns: [],
    table: nameOf(row.target_db, row.target),
    referenced: [],
  };
  key.columns.push(column);
  key.referenced.push(quoted(row.target_col));
  draft.foreignKeys.set(id, key);
}

function quoted(name: unknown): string {
  const text = String(name);
  return /^[A-Za-z_]\w*$/.test(text) ? text : `\`${text.replaceAll('`', '``')}\``;
}
