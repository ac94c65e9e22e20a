import type { JsonObject } from '../../domain/chat.ts';
import { limits } from '../../domain/limits.ts';
import type { SqlAccess } from '../../domain/sql/access.ts';
import { type Tool, ToolFailure } from '../../ports/tool.ts';
import { describeDatabases } from './describe-databases.ts';
import type { Limiter } from './limiter.ts';
import type { OfferedDatabase } from './offered-database.ts';
import { SqlFailure, type SqlLimits } from './sql-driver.ts';

export interface RunSqlOptions {
  /** At least one; the first is the default. */
  readonly databases: readonly OfferedDatabase[];
  readonly access: SqlAccess;
  readonly limits: SqlLimits;
  readonly limiter: Limiter;
  readonly report: (message: string, cause: unknown) => void;
}

/** The tool `run_sql`: one statement on one of the databases, its rows as JSON lines. */
export function createRunSqlTool(options: RunSqlOptions): Tool {
  const { databases, access, limits: sqlLimits, limiter, report } = options;

  function databaseOf({ connection }: JsonObject): OfferedDatabase {
    const database =
      connection === undefined ? databases[0] : databases.find(({ name }) => name === connection);
    if (database === undefined) throw new ToolFailure('there is no such connection');
    return database;
  }

  return {
    name: 'run_sql',
    description: describeDatabases(databases, access, sqlLimits),
    parameters: parametersFor(databases),

    writes(args) {
      if (access === 'read') return false;
      const check = databaseOf(args).driver.check(String(args.sql), access);
      return check.ok && check.writes;
    },

    label: (args) => `SQL on ${databaseOf(args).name}`,

    async run(args, { signal }) {
      const { opened, driver } = databaseOf(args);
      const sql = String(args.sql);
      // Parsers written in C end a text there, and would see less than the database.
      if (sql.includes('\0')) throw new ToolFailure('the statement holds a NUL character');
      const request = { sql, access, limits: sqlLimits, signal };
      const { id } = opened.connection;
      try {
        return await limiter.run(id, () => driver.run(opened.settings, request), signal);
      } catch (error) {
        if (!(error instanceof SqlFailure)) throw error;
        if (error.blame === 'connection') report(`connection ${id} could not be used`, error);
        throw new ToolFailure(error.message, error);
      }
    },
  };
}

function parametersFor(databases: readonly OfferedDatabase[]): JsonObject {
  return {
    type: 'object',
    properties: {
      sql: {
        type: 'string',
        description: 'one statement',
        minLength: 1,
        maxLength: limits.sql.statementChars,
      },
      connection: {
        type: 'string',
        description: 'name of the database; default: the first',
        enum: databases.map(({ name }) => name),
      },
    },
    required: ['sql'],
    additionalProperties: false,
  };
}
