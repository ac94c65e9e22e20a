import { loadModule, parseSync } from 'pgsql-parser';
import type { SqlAccess } from '../../../domain/sql/access.ts';
import {
  checkPostgresStatement,
  type ParseTree,
  type PostgresCheck,
} from '../../../domain/sql/postgres-statement.ts';
import { refusedStatement } from '../../../domain/sql/statement-check.ts';

/** Loads PostgreSQL's own parser, once. */
export async function loadPostgresParser(): Promise<void> {
  await loadModule();
}

/** Parses a text as PostgreSQL would and decides whether the server may see it. The parser must be loaded. */
export function checkPostgresText(sql: string, access: SqlAccess): PostgresCheck {
  let statements: readonly ParseTree[];
  try {
    const { stmts = [] } = parseSync(sql) as { stmts?: readonly { stmt?: ParseTree }[] };
    statements = stmts.map(({ stmt }) => stmt ?? {});
  } catch (error) {
    return refusedStatement(error instanceof Error ? error.message : 'syntax error') as PostgresCheck;
  }
  return checkPostgresStatement(statements, access);
}
