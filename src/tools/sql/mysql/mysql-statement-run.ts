import type { FieldPacket, ResultSetHeader } from 'mysql2';
import { createResultTable, type ResultTable } from '../../../domain/sql/result-table.ts';
import { bytesCell, numberCell } from '../json-cell.ts';
import type { SqlLimits } from '../sql-driver.ts';
import type { MysqlSession } from './mysql-session.ts';

/**
 * Prepares and executes one statement and returns what the model reads. Rows are taken as they come; of a statement
 * that only reads, the connection ends with the last one that there is room for.
 */
export function runMysqlStatement(
  session: MysqlSession,
  { sql, writes, limits }: { readonly sql: string; readonly writes: boolean; readonly limits: SqlLimits },
): Promise<string> {
  return new Promise((resolve, reject) => {
    let table: ResultTable | undefined;
    let types: readonly number[] = [];
    let header: ResultSetHeader | undefined;
    const execution = session.connection.execute({ sql, rowsAsArray: true });
    execution.on('fields', (fields: readonly FieldPacket[] | undefined) => {
      if (fields === undefined) return;
      types = fields.map(({ columnType, type }) => columnType ?? type ?? 0);
      table = createResultTable(
        fields.map(({ name }) => name),
        limits,
      );
    });
    execution.on('result', (row: unknown) => {
      if (!Array.isArray(row)) {
        header = row as ResultSetHeader;
      } else if (table?.isFull === false) {
        table.add(row.map((value, index) => toCell(types[index] ?? 0, value)));
        if (!table.isFull || writes) return;
        resolve(table.text());
        session.leave();
      }
    });
    execution.on('error', reject);
    execution.on('end', () => resolve(table?.text() ?? `(done: ${header?.affectedRows ?? 0} rows affected)`));
  });
}

/** Types of the protocol that are numbers (MySQL client/server protocol, enum_field_types). */
const numberTypes: ReadonlySet<number> = new Set([0, 1, 2, 3, 4, 5, 8, 9, 13, 246]);

function toCell(type: number, value: unknown): string {
  if (value === null || value === undefined) return 'null';
  if (value instanceof Uint8Array) return bytesCell(value);
  if (numberTypes.has(type)) return numberCell(String(value));
  return JSON.stringify(value) ?? 'null';
}
