import { ServiceError } from '../../domain/errors.ts';
import { limits } from '../../domain/limits.ts';
import { sqlAccessOf } from '../../domain/sql/access.ts';
import type { Clock } from '../../ports/clock.ts';
import type { ToolProvider } from '../../ports/tool.ts';
import type { OpenedConnection, ToolConnections } from '../../ports/tool-connections.ts';
import { loadDriver, type SqlKind, sqlKinds } from './drivers.ts';
import { createInspectionCache, type InspectionCache } from './inspection-cache.ts';
import { createLimiter } from './limiter.ts';
import type { OfferedDatabase } from './offered-database.ts';
import { createRunSqlTool } from './run-sql-tool.ts';
import type { SqlLimits } from './sql-driver.ts';

export interface SqlToolsOptions {
  readonly connections: ToolConnections;
  readonly clock: Clock;
  /** Hears why a database could not be used. */
  readonly report: (message: string, cause: unknown) => void;
  /** Default: `limits.sql`. */
  readonly limits?: Partial<SqlLimits>;
}

/**
 * Provides `run_sql`: to keys that hold sql.read or sql.write whose actor has an active connection to a database, with
 * what the databases hold in its description.
 */
export function createSqlTools(options: SqlToolsOptions): ToolProvider {
  const { connections, clock, report } = options;
  const sqlLimits = { ...limits.sql, ...options.limits };
  const inspections = createInspectionCache(clock, sqlLimits, limits.sql.schemaAgeMs);
  const limiter = createLimiter(limits.sql.statementsPerConnection);

  return {
    async toolsFor({ principal, sqlPermission, readOnlyTools }) {
      const access = sqlAccessOf(principal.apiKey.scopes, readOnlyTools ? 'read' : sqlPermission);
      if (access === undefined) return [];
      const active = (await connections.activeOf(principal, sqlKinds)).slice(0, limits.sql.connections);
      if (active.length === 0) return [];
      const databases = await Promise.all(active.map((opened) => look(opened, inspections, report)));
      if (databases.every(({ inspection }) => inspection === undefined)) {
        throw new ServiceError('extension_config_error', { cause: databases[0]?.failure });
      }
      const named = withDistinctNames(databases);
      return [createRunSqlTool({ databases: named, access, limits: sqlLimits, limiter, report })];
    },
  };
}

type LookedAt = Omit<OfferedDatabase, 'name'> & { readonly failure?: unknown };

async function look(
  opened: OpenedConnection<SqlKind>,
  inspections: InspectionCache,
  report: SqlToolsOptions['report'],
): Promise<LookedAt> {
  const driver = await loadDriver(opened.settings);
  try {
    return { opened, driver, inspection: await inspections.get(opened, driver) };
  } catch (failure) {
    report(`connection ${opened.connection.id} could not be used`, failure);
    return { opened, driver, inspection: undefined, failure };
  }
}

/** Two connections of one name are told apart by a number. */
function withDistinctNames(databases: readonly LookedAt[]): readonly OfferedDatabase[] {
  const taken = new Set<string>();
  return databases.map((database) => {
    const { name } = database.opened.connection;
    let distinct = name;
    for (let number = 2; taken.has(distinct); number += 1) distinct = `${name} (${number})`;
    taken.add(distinct);
    return { ...database, name: distinct };
  });
}
