import type { SqlAccess } from './access.ts';
import { postgresFunctions, postgresWriteFunctions } from './postgres-functions.ts';
import {
  readingNodes,
  readingStatements,
  writableObjects,
  writingNodes,
  writingStatements,
} from './postgres-nodes.ts';
import { onlyOneStatement, refusedStatement, type StatementCheck } from './statement-check.ts';

/** A statement's parse tree as libpg_query writes it: `{ NodeName: { field: … } }`. */
export type ParseTree = { readonly [name: string]: unknown };

export type PostgresCheck =
  | (Extract<StatementCheck, { ok: true }> & {
      /**
       * Names after a point that PostgreSQL takes for functions where there is no such column (`x.pg_sleep` is
       * `pg_sleep(x)`; parse_func.c, ParseFuncOrColumn) and that are not among the allowed functions.
       */
      readonly fieldNames: readonly string[];
    })
  | Extract<StatementCheck, { ok: false }>;

/**
 * Decides whether PostgreSQL may see what was parsed: exactly one statement, made of known nodes only, that calls known
 * functions only and, unless it may write, locks no rows and creates nothing.
 *
 * @param statements the trees of all statements of the text.
 */
export function checkPostgresStatement(statements: readonly ParseTree[], access: SqlAccess): PostgresCheck {
  const [statement, ...others] = statements;
  if (statement === undefined) return refused('the statement is empty');
  if (others.length > 0) return onlyOneStatement as PostgresCheck;
  const reading = inspect(statement, 'read');
  if (reading.problem === undefined) return { ok: true, writes: false, fieldNames: reading.fieldNames };
  if (access === 'read') return refused(reading.problem);
  const writing = inspect(statement, 'write');
  if (writing.problem !== undefined) return refused(writing.problem);
  return { ok: true, writes: true, fieldNames: writing.fieldNames };
}

function refused(problem: string): PostgresCheck {
  return refusedStatement(problem) as PostgresCheck;
}

interface Finding {
  readonly problem: string | undefined;
  readonly fieldNames: readonly string[];
}

/** Walks the tree without recursion, which a deep one would exhaust. */
function inspect(statement: ParseTree, access: SqlAccess): Finding {
  const fieldNames = new Set<string>();
  const [kind = ''] = Object.keys(statement);
  const isKnown = readingStatements.has(kind) || (access === 'write' && writingStatements.has(kind));
  if (!isKnown) return { problem: `${statementName(kind)} is refused${reason(access)}`, fieldNames: [] };
  const waiting: unknown[] = [statement];
  while (waiting.length > 0) {
    const value = waiting.pop();
    if (typeof value !== 'object' || value === null) continue;
    for (const [name, inner] of Object.entries(value)) {
      const problem = memberProblem(name, inner, access, fieldNames);
      if (problem !== undefined) return { problem, fieldNames: [] };
      waiting.push(inner);
    }
  }
  return { problem: undefined, fieldNames: [...fieldNames] };
}

function reason(access: SqlAccess): string {
  return access === 'read' ? ': access is read-only' : '';
}

function statementName(kind: string): string {
  return kind
    .replace(/Stmt$/, '')
    .replace(/(?<=[a-z])(?=[A-Z])/g, ' ')
    .toUpperCase();
}

function memberProblem(
  name: string,
  inner: unknown,
  access: SqlAccess,
  fieldNames: Set<string>,
): string | undefined {
  if (access === 'read' && name === 'intoClause') return 'SELECT INTO is refused: access is read-only';
  if (access === 'read' && name === 'lockingClause') return 'locking rows is refused: access is read-only';
  if (!/^[A-Z]/.test(name)) return undefined;
  if (!readingNodes.has(name) && !(access === 'write' && writingNodes.has(name))) {
    return `${statementName(name)} is refused${reason(access)}`;
  }
  return nodeProblem(name, inner as ParseTree, access, fieldNames);
}

function nodeProblem(
  name: string,
  node: ParseTree,
  access: SqlAccess,
  fieldNames: Set<string>,
): string | undefined {
  switch (name) {
    case 'FuncCall':
      return functionProblem(strings(node.funcname), access);
    case 'A_Expr':
      return isFromCatalog(strings(node.name)) ? undefined : 'operators of other schemas are refused';
    case 'RangeTableSample': {
      const method = strings(node.method).join('.').toLowerCase();
      return ['system', 'bernoulli'].includes(method)
        ? undefined
        : `the sampling method ${method} is refused`;
    }
    case 'ColumnRef':
      noteField(strings(node.fields).slice(1).at(-1), access, fieldNames);
      return undefined;
    case 'A_Indirection':
      for (const field of strings(node.indirection)) noteField(field, access, fieldNames);
      return undefined;
    case 'ExplainStmt':
    case 'CreateTableAsStmt':
      return innerStatementProblem(node.query, access);
    case 'DropStmt':
      return objectProblem(node.removeType);
    case 'RenameStmt':
      return objectProblem(node.renameType);
    case 'CommentStmt':
    case 'AlterTableStmt':
      return objectProblem(node.objtype);
    default:
      return undefined;
  }
}

function functionProblem(path: readonly string[], access: SqlAccess): string | undefined {
  const isKnown = isFromCatalog(path) && isAllowed(path.at(-1) ?? '', access);
  return isKnown ? undefined : `the function ${path.join('.')} is not among the allowed ones`;
}

function isFromCatalog(path: readonly string[]): boolean {
  return path.length === 1 || (path.length === 2 && path[0] === 'pg_catalog');
}

function isAllowed(name: string, access: SqlAccess): boolean {
  return postgresFunctions.has(name) || (access === 'write' && postgresWriteFunctions.has(name));
}

function noteField(name: string | undefined, access: SqlAccess, fieldNames: Set<string>): void {
  if (name !== undefined && !isAllowed(name, access)) fieldNames.add(name);
}

function innerStatementProblem(query: unknown, access: SqlAccess): string | undefined {
  const [kind = ''] = Object.keys((query ?? {}) as ParseTree);
  const isKnown = kind === 'SelectStmt' || (access === 'write' && writingStatements.has(kind));
  return isKnown ? undefined : `${statementName(kind)} is refused${reason(access)}`;
}

function objectProblem(type: unknown): string | undefined {
  return writableObjects.has(String(type))
    ? undefined
    : 'only tables, views, indexes and sequences may be changed';
}

/** The names of a list of String nodes; of others nothing. */
function strings(list: unknown): readonly string[] {
  if (!Array.isArray(list)) return [];
  return list.flatMap((item: { String?: { sval?: string } }) => {
    const text = item.String?.sval;
    return text === undefined ? [] : [text];
  });
}
