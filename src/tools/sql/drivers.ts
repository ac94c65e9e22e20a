import type { ConnectionKind, ConnectionSettings } from '../../domain/connection.ts';
import type { SqlDriver } from './sql-driver.ts';

export const sqlKinds = ['sqlite', 'postgres', 'mysql'] as const satisfies readonly ConnectionKind[];
export type SqlKind = (typeof sqlKinds)[number];
export type SqlSettings = Extract<ConnectionSettings, { readonly kind: SqlKind }>;

/** The libraries take a while to load and much memory, so that only those of connections in use are. */
const loaders: Readonly<Record<SqlKind, () => Promise<SqlDriver<never>>>> = {
  sqlite: async () => (await import('./sqlite/sqlite-driver.ts')).sqliteDriver,
  postgres: async () => (await import('./postgres/postgres-driver.ts')).openPostgresDriver(),
  mysql: async () => (await import('./mysql/mysql-driver.ts')).mysqlDriver,
};

/** Returns the driver that the settings are for. */
export async function loadDriver({ kind }: SqlSettings): Promise<SqlDriver<SqlSettings>> {
  return (await loaders[kind]()) as unknown as SqlDriver<SqlSettings>;
}
