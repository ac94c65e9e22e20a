import { type Connection, Query } from 'pg';
import { createResultTable } from '../../../domain/sql/result-table.ts';
import { bytesCell, numberCell } from '../json-cell.ts';
import type { SqlLimits } from '../sql-driver.ts';

interface Field {
  readonly name: string;
  readonly dataTypeID: number;
}

interface PortalResult {
  readonly fields: readonly Field[];
  readonly command: string;
  readonly rowCount: number | null;
}

/** A statement of the extended protocol whose portal is asked for a number of rows once, and not for more. */
class PortalQuery extends Query {
  handlePortalSuspended(connection: Connection): void {
    connection.sync();
  }
}

/**
 * Creates a statement for `client.query` and the text that comes of it: at most `limits.rows` rows are taken from its
 * portal, in the server's own notation.
 */
export function createPortalQuery(
  sql: string,
  limits: SqlLimits,
): { readonly query: Query; readonly text: Promise<string> } {
  const config = {
    text: sql,
    // The extended protocol refuses more than one statement.
    queryMode: 'extended',
    rows: limits.rows + 1,
    rowMode: 'array',
    types: { getTypeParser: () => (value: string) => value },
  };
  const query = new PortalQuery(config);
  const text = new Promise<string>((resolve, reject) => {
    let table: ReturnType<typeof createResultTable> | undefined;
    let types: readonly number[] = [];
    const begin = ({ fields }: PortalResult) => {
      types = fields.map(({ dataTypeID }) => dataTypeID);
      return createResultTable(
        fields.map(({ name }) => name),
        limits,
      );
    };
    query.on('row', (row: readonly (string | null)[], result) => {
      table ??= begin(result as unknown as PortalResult);
      if (!table.isFull) table.add(row.map((value, index) => toCell(types[index] ?? 0, value)));
    });
    query.on('error', reject);
    query.on('end', (ended) => {
      const result = ended as unknown as PortalResult;
      resolve(closingText(result, table ?? begin(result)));
    });
  });
  return { query, text };
}

const reading = ['SELECT', 'SHOW', 'EXPLAIN'];

function closingText(
  { command, rowCount, fields }: PortalResult,
  table: ReturnType<typeof createResultTable>,
): string {
  if (reading.includes(command) || command === undefined) return table.text();
  const done = /^(?:INSERT|UPDATE|DELETE|MERGE)$/.test(command)
    ? `${command}: ${rowCount ?? 0} rows`
    : `${command}: done`;
  return fields.length > 0 ? table.text(done) : `(${done})`;
}

/** Of the built-in types, by OID (pg_type.dat). */
const boolType = 16;
const byteaType = 17;
const jsonbType = 3_802;
const numberTypes: ReadonlySet<number> = new Set([20, 21, 23, 26, 700, 701, 1_700]);

function toCell(type: number, value: string | null): string {
  if (value === null) return 'null';
  if (type === boolType) return value === 't' ? 'true' : 'false';
  if (type === jsonbType) return value;
  if (numberTypes.has(type)) return numberCell(value);
  if (type === byteaType && value.startsWith('\\x')) return bytesCell(Buffer.from(value.slice(2), 'hex'));
  return JSON.stringify(value);
}
