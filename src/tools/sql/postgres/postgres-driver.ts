import type { Client } from 'pg';
import type { SqlDriver, SqlLimits } from '../sql-driver.ts';
import { SqlFailure } from '../sql-driver.ts';
import { checkPostgresText, loadPostgresParser } from './parse-postgres.ts';
import { createPortalQuery } from './portal-query.ts';
import { assertRole, roleRefusal } from './postgres-role.ts';
import { readPostgresSchema } from './postgres-schema.ts';
import { withPostgres } from './postgres-session.ts';

export interface PostgresSettings {
  readonly url: string;
}

/** Returns the driver once PostgreSQL's parser is loaded. */
export async function openPostgresDriver(): Promise<SqlDriver<PostgresSettings>> {
  await loadPostgresParser();
  return postgresDriver;
}

/**
 * PostgreSQL 12 and later.
 *
 * A reading statement passes the check of its parse tree, then runs alone over the extended protocol in a read-only
 * transaction, under statement and lock timeouts, through a portal that gives a limited number of rows; the transaction
 * is rolled back and the connection ended.
 */
const postgresDriver: SqlDriver<PostgresSettings> = {
  dialect: 'PostgreSQL',
  check: checkPostgresText,

  async run({ url }, { sql, access, limits, signal }) {
    const check = checkPostgresText(sql, access);
    if (!check.ok) throw new SqlFailure('statement', check.problem);
    return withPostgres(url, { limits, signal }, async (client) => {
      await begin(client, limits, check.writes);
      await assertRole(client, check.fieldNames, access === 'write');
      const { query, text } = createPortalQuery(sql, limits);
      client.query(query);
      const result = await text;
      await client.query(check.writes ? 'COMMIT' : 'ROLLBACK');
      return result;
    });
  },

  inspect: ({ url }, request) =>
    withPostgres(url, request, async (client) => {
      await begin(client, request.limits, false);
      const { rows } = await client.query<{ server_version: string }>('SHOW server_version');
      const version = rows[0]?.server_version.split(' ')[0] ?? '';
      return {
        product: `PostgreSQL ${version}`,
        tables: await readPostgresSchema(client),
        refusal: await roleRefusal(client),
      };
    }),
};

async function begin(client: Client, limits: SqlLimits, writes: boolean): Promise<void> {
  // The parser reads backslashes in strings as this setting says.
  await client.query(`
    SET standard_conforming_strings = on;
    SET statement_timeout = ${limits.statementTimeoutMs};
    SET lock_timeout = ${limits.lockTimeoutMs};
    SET idle_in_transaction_session_timeout = ${limits.statementTimeoutMs};
    SET default_transaction_read_only = ${writes ? 'off' : 'on'};
    SELECT set_config('client_connection_check_interval', '1000', false)
    WHERE current_setting('server_version_num')::int >= 140000;`);
  await client.query(`BEGIN ${writes ? 'READ WRITE' : 'READ ONLY'}`);
}
