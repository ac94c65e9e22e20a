import { checkSqliteStatement } from '../../../domain/sql/sqlite-statement.ts';
import { type SqlDriver, SqlFailure } from '../sql-driver.ts';
import { askSqlite } from './ask-sqlite.ts';

export interface SqliteSettings {
  readonly path: string;
}

/**
 * SQLite files on the machine of the service.
 *
 * A reading statement runs alone in a process of its own, on a file that is opened for reading, in a transaction that is
 * rolled back, under an authorizer that knows what reading needs and denies everything else.
 */
export const sqliteDriver: SqlDriver<SqliteSettings> = {
  dialect: 'SQLite',
  check: checkSqliteStatement,

  async run({ path }, { sql, access, limits, signal }) {
    const check = checkSqliteStatement(sql, access);
    if (!check.ok) throw new SqlFailure('statement', check.problem);
    const { text } = await askSqlite({ task: 'run', path, sql, writes: check.writes, limits }, signal);
    return text;
  },

  async inspect({ path }, { limits, signal }) {
    const { version, tables } = await askSqlite({ task: 'inspect', path, limits }, signal);
    return { product: `SQLite ${version}`, tables, refusal: undefined };
  },
};
