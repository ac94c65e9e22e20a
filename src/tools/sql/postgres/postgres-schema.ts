import type { Client } from 'pg';
import type { SqlForeignKey, SqlTable } from '../../../domain/sql/schema.ts';

interface TableRow {
  readonly name: string;
  readonly is_view: boolean;
  readonly columns: readonly (readonly [string, string])[] | null;
  readonly primary_key: readonly string[] | null;
  readonly foreign_keys: readonly SqlForeignKey[] | null;
}

const tablesMax = 1_000;

const keyColumns = (key: string, table: string) => `(
  SELECT pg_catalog.json_agg(pg_catalog.quote_ident(a.attname) ORDER BY k.position)
  FROM pg_catalog.unnest(${key}) WITH ORDINALITY k (attnum, position)
  JOIN pg_catalog.pg_attribute a ON a.attrelid = ${table} AND a.attnum = k.attnum)`;

const tableName = (table: string, schema: string) => `
  CASE WHEN pg_catalog.pg_table_is_visible(${table}.oid) THEN '' ELSE pg_catalog.quote_ident(${schema}.nspname) || '.' END
  || pg_catalog.quote_ident(${table}.relname)`;

/** Tables and views that the role can read, the readable columns of each, without the parts of partitioned tables. */
const question = `
  SELECT
    ${tableName('c', 'n')} AS name,
    c.relkind IN ('v', 'm') AS is_view,
    (SELECT pg_catalog.json_agg(pg_catalog.json_build_array(
        pg_catalog.quote_ident(a.attname), pg_catalog.format_type(a.atttypid, a.atttypmod)) ORDER BY a.attnum)
      FROM pg_catalog.pg_attribute a
      WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
        AND pg_catalog.has_column_privilege(c.oid, a.attnum, 'SELECT')) AS columns,
    (SELECT ${keyColumns('p.conkey', 'c.oid')}
      FROM pg_catalog.pg_constraint p WHERE p.conrelid = c.oid AND p.contype = 'p') AS primary_key,
    (SELECT pg_catalog.json_agg(pg_catalog.json_build_object(
        'columns', ${keyColumns('f.conkey', 'c.oid')},
        'table', ${tableName('fc', 'fn')},
        'referenced', ${keyColumns('f.confkey', 'fc.oid')}) ORDER BY f.conname)
      FROM pg_catalog.pg_constraint f
      JOIN pg_catalog.pg_class fc ON fc.oid = f.confrelid
      JOIN pg_catalog.pg_namespace fn ON fn.oid = fc.relnamespace
      WHERE f.conrelid = c.oid AND f.contype = 'f') AS foreign_keys
  FROM pg_catalog.pg_class c
  JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
  WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f') AND NOT c.relispartition
    AND n.nspname NOT IN ('pg_catalog', 'information_schema') AND n.nspname !~ '^pg_(toast|temp)'
    AND pg_catalog.has_schema_privilege(n.oid, 'USAGE') AND pg_catalog.has_any_column_privilege(c.oid, 'SELECT')
  ORDER BY pg_catalog.pg_table_is_visible(c.oid) DESC, n.nspname, c.relname
  LIMIT ${tablesMax}`;

/** Reads what the role can see of the database's tables. */
export async function readPostgresSchema(client: Client): Promise<readonly SqlTable[]> {
  const { rows } = await client.query<TableRow>(question);
  return rows.map((row) => ({
    name: row.name,
    isView: row.is_view,
    columns: (row.columns ?? []).map(([name, type]) => ({ name, type: shortType(type) })),
    primaryKey: row.primary_key ?? [],
    foreignKeys: row.foreign_keys ?? [],
  }));
}

function shortType(type: string): string {
  return type
    .replace('character varying', 'varchar')
    .replace(' without time zone', '')
    .replace(/^(timestamp|time)(\(\d\))? with time zone/, '$1tz$2');
}
