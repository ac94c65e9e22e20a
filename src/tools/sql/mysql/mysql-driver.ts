import { checkMysqlStatement } from '../../../domain/sql/mysql-statement.ts';
import { type SqlDriver, SqlFailure, type SqlLimits } from '../sql-driver.ts';
import { accountRefusal } from './mysql-account.ts';
import { readMysqlSchema } from './mysql-schema.ts';
import { type MysqlSession, withMysql } from './mysql-session.ts';
import { runMysqlStatement } from './mysql-statement-run.ts';

export interface MysqlSettings {
  readonly url: string;
}

/**
 * MariaDB 10.6 and later, MySQL 8 and later.
 *
 * A reading statement passes the check of its tokens, then runs alone as a prepared statement in a read-only
 * transaction, under statement and lock timeouts and a limit of rows; the transaction is rolled back and the connection
 * ended.
 */
export const mysqlDriver: SqlDriver<MysqlSettings> = {
  dialect: 'MariaDB or MySQL',
  check: checkMysqlStatement,

  async run({ url }, { sql, access, limits, signal }) {
    const check = checkMysqlStatement(sql, access);
    if (!check.ok) throw new SqlFailure('statement', check.problem);
    return withMysql(url, { limits, signal }, async (session) => {
      await begin(session, limits, check.writes);
      const refusal = access === 'read' ? accountRefusal(await grantsOf(session)) : undefined;
      if (refusal !== undefined) throw new SqlFailure('statement', refusal);
      const text = await runMysqlStatement(session, { sql, writes: check.writes, limits });
      if (check.writes) await session.rows('COMMIT');
      return text;
    });
  },

  inspect: ({ url }, request) =>
    withMysql(url, request, async (session) => {
      const version = await begin(session, request.limits, false);
      return {
        product: productOf(version),
        tables: await readMysqlSchema(session),
        refusal: accountRefusal(await grantsOf(session)),
      };
    }),
};

/** Returns the server's version. */
async function begin(session: MysqlSession, limits: SqlLimits, writes: boolean): Promise<string> {
  const [row] = await session.rows('SELECT VERSION() AS version');
  const version = String(row?.version);
  const lockSeconds = Math.max(1, Math.ceil(limits.lockTimeoutMs / 1_000));
  const settings = [
    // The check of statements holds under these modes only.
    "sql_mode = 'STRICT_TRANS_TABLES,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION'",
    isMariaDb(version)
      ? `max_statement_time = ${limits.statementTimeoutMs / 1_000}`
      : `max_execution_time = ${limits.statementTimeoutMs}`,
    `lock_wait_timeout = ${lockSeconds}`,
    `innodb_lock_wait_timeout = ${lockSeconds}`,
    ...(writes ? [] : [`sql_select_limit = ${limits.rows + 1}`]),
  ];
  await session.rows(`SET SESSION ${settings.join(', ')}`);
  await session.rows(`START TRANSACTION ${writes ? 'READ WRITE' : 'READ ONLY'}`);
  return version;
}

function isMariaDb(version: string): boolean {
  return /mariadb/i.test(version);
}

function productOf(version: string): string {
  return `${isMariaDb(version) ? 'MariaDB' : 'MySQL'} ${/^[\d.]+/.exec(version)?.[0] ?? ''}`;
}

async function grantsOf(session: MysqlSession): Promise<readonly string[]> {
  const rows = await session.rows('SHOW GRANTS');
  return rows.flatMap((row) => Object.values(row).map(String));
}
