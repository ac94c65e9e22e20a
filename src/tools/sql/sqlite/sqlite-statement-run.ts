import type { DatabaseSync } from 'node:sqlite';
import { createResultTable } from '../../../domain/sql/result-table.ts';
import { bytesCell, numberCell } from '../json-cell.ts';
import type { SqlLimits } from '../sql-driver.ts';
import { createSqliteAuthorizer } from './sqlite-authorizer.ts';

/**
 * Runs one statement in a transaction under an authorizer and returns what the model reads. What only reads is rolled
 * back.
 *
 * @throws Error whose message is for the model.
 */
export function runSqliteStatement(
  database: DatabaseSync,
  { sql, writes, limits }: { readonly sql: string; readonly writes: boolean; readonly limits: SqlLimits },
): string {
  database.exec(writes ? 'BEGIN IMMEDIATE' : 'BEGIN');
  database.setAuthorizer(createSqliteAuthorizer(writes));
  const statement = database.prepare(sql);
  statement.setReturnArrays(true);
  statement.setReadBigInts(true);
  const columns = statement.columns().map(({ name }) => name);
  const text = columns.length === 0 ? changed(statement.run().changes) : read();
  database.setAuthorizer(null);
  database.exec(writes ? 'COMMIT' : 'ROLLBACK');
  return text;

  function read(): string {
    const table = createResultTable(columns, limits);
    for (const row of statement.iterate() as Iterable<unknown>) {
      if (!table.isFull) table.add((row as readonly unknown[]).map(toCell));
      // A change is made row by row, and all of them are wanted.
      if (table.isFull && !writes) break;
    }
    return table.text();
  }
}

function changed(rows: number | bigint): string {
  return `(done: ${rows} rows changed)`;
}

function toCell(value: unknown): string {
  if (value === null) return 'null';
  if (typeof value === 'bigint') return String(value);
  if (typeof value === 'number') return numberCell(String(value));
  return value instanceof Uint8Array ? bytesCell(value) : JSON.stringify(value);
}
