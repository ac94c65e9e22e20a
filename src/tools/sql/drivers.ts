import type { ConnectionKind, ConnectionSettings } from '../../domain/connection.ts';
import { mysqlDriver } from './mysql/mysql-driver.ts';
import { postgresDriver } from './postgres/postgres-driver.ts';
import type { SqlDriver } from './sql-driver.ts';
import { sqliteDriver } from './sqlite/sqlite-driver.ts';

export const sqlKinds = ['sqlite', 'postgres', 'mysql'] as const satisfies readonly ConnectionKind[];
export type SqlKind = (typeof sqlKinds)[number];
export type SqlSettings = Extract<ConnectionSettings, { readonly kind: SqlKind }>;

const drivers: Readonly<Record<SqlKind, SqlDriver<never>>> = {
  sqlite: sqliteDriver,
  postgres: postgresDriver,
  mysql: mysqlDriver,
};

/** Returns the driver that the settings are for. */
export function driverOf({ kind }: SqlSettings): SqlDriver<SqlSettings> {
  return drivers[kind] as unknown as SqlDriver<SqlSettings>;
}
