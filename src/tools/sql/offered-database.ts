import type { OpenedConnection } from '../../ports/tool-connections.ts';
import type { SqlKind, SqlSettings } from './drivers.ts';
import type { SqlDriver, SqlInspection } from './sql-driver.ts';

/** A database that a model may ask. */
export interface OfferedDatabase {
  /** Distinct among those offered. */
  readonly name: string;
  readonly opened: OpenedConnection<SqlKind>;
  readonly driver: SqlDriver<SqlSettings>;
  /** Undefined: it could not be looked at. */
  readonly inspection: SqlInspection | undefined;
}
