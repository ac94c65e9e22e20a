import type { Connection } from '../../domain/connection.ts';
import { limits } from '../../domain/limits.ts';
import type { ConnectionTester } from '../../ports/connection-tester.ts';
import { loadDriver, type SqlKind, type SqlSettings, sqlKinds } from './drivers.ts';
import { SqlFailure, type SqlInspection } from './sql-driver.ts';

export function isSqlConnection(connection: Pick<Connection, 'kind'>): boolean {
  return (sqlKinds as readonly string[]).includes(connection.kind);
}

/** How long a test of a database may take. */
const testTimeoutMs = 10_000;

/** Tries connections to databases: looks at the tables and at what the account may do. */
export const sqlConnectionTester: ConnectionTester = {
  async test(connection, settings) {
    if (!isSqlConnection(connection)) return { ok: false, detail: `${connection.kind} is no database` };
    const driver = await loadDriver(settings as SqlSettings);
    const signal = AbortSignal.timeout(testTimeoutMs);
    try {
      const inspection = await driver.inspect(settings as SqlSettings, { limits: limits.sql, signal });
      return { ok: true, detail: found(connection.kind as SqlKind, inspection) };
    } catch (error) {
      return { ok: false, detail: failed(error) };
    }
  },
};

function found(kind: SqlKind, { product, tables, refusal }: SqlInspection): string {
  const size = `${tables.length} ${tables.length === 1 ? 'table' : 'tables'} and views to read`;
  if (refusal !== undefined) return `${product}, ${size}; warning: ${refusal}`;
  return kind === 'sqlite'
    ? `${product}, ${size}`
    : `${product}, ${size}; the account is fit for read-only use`;
}

/** For the administrator, who hears why as well; the libraries' messages hold no passwords. */
function failed(error: unknown): string {
  if (!(error instanceof SqlFailure)) return `the database did not answer within ${testTimeoutMs / 1_000} s`;
  const cause = error.cause instanceof Error ? error.cause : undefined;
  const reason = cause === undefined || error.message === cause.message ? '' : `: ${reasonOf(cause)}`;
  return `${error.message}${reason}`;
}

/** An attempt at several addresses fails with a list of failures and no message. */
function reasonOf(cause: Error): string {
  const [first] = cause instanceof AggregateError ? (cause.errors as readonly Error[]) : [cause];
  return first?.message ?? '';
}
