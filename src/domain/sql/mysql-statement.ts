import type { SqlAccess } from './access.ts';
import { mysqlFunctions, mysqlRefusedFunctions, mysqlWordsBeforeParenthesis } from './mysql-functions.ts';
import { onlyOneStatement, refusedStatement, type StatementCheck } from './statement-check.ts';
import { mysqlSyntax, type SqlToken, tokenizeSql } from './tokens.ts';

/**
 * Decides whether MariaDB or MySQL may see a statement.
 *
 * What reads is one SELECT, WITH … SELECT, VALUES, TABLE, SHOW (of tables and their parts), EXPLAIN or DESCRIBE that
 * calls none but known functions, locks no rows and puts nothing anywhere. With access to write, also one INSERT,
 * UPDATE, DELETE, REPLACE, or a CREATE, ALTER, DROP, TRUNCATE or RENAME of tables, indexes and views.
 *
 * The session must run without ANSI_QUOTES, NO_BACKSLASH_ESCAPES and ORACLE among its SQL modes.
 */
export function checkMysqlStatement(sql: string, access: SqlAccess): StatementCheck {
  const tokens = tokenizeSql(sql, mysqlSyntax);
  if (tokens === undefined) return refusedStatement('a string, a quoted name or a comment does not end');
  const statement = withoutLastSemicolon(tokens);
  if (statement.length === 0) return refusedStatement('the statement is empty');
  if (statement.some(isSymbol(';'))) return onlyOneStatement;
  const forbidden = alwaysRefused(statement);
  if (forbidden !== undefined) return refusedStatement(forbidden);
  const problem = readProblem(statement);
  if (problem === undefined) return { ok: true, writes: false };
  if (access === 'read') return refusedStatement(problem);
  const writeRefusal = writeProblem(statement);
  return writeRefusal === undefined ? { ok: true, writes: true } : refusedStatement(writeRefusal);
}

function withoutLastSemicolon(tokens: readonly SqlToken[]): readonly SqlToken[] {
  return tokens.slice(0, tokens.findLastIndex((token) => !isSymbol(';')(token)) + 1);
}

function isSymbol(text: string): (candidate: SqlToken | undefined) => boolean {
  return (candidate) => candidate?.kind === 'symbol' && candidate.text === text;
}

function isWord(token: SqlToken | undefined, ...texts: readonly string[]): boolean {
  return token?.kind === 'word' && texts.includes(token.text);
}

function alwaysRefused(tokens: readonly SqlToken[]): string | undefined {
  if (tokens.some(({ kind }) => kind === 'hint'))
    return 'executable comments and optimizer hints are refused';
  if (tokens.some(isSymbol('@'))) return 'variables are refused';
  const isAssigned = tokens.some((token, index) => isSymbol(':')(token) && isSymbol('=')(tokens[index + 1]));
  if (isAssigned) return 'assignments to variables are refused';
  const refused = tokens.find((_, index) => isCallOf(tokens, index, mysqlRefusedFunctions));
  return refused && `the function ${refused.text} is refused`;
}

function isCallOf(tokens: readonly SqlToken[], index: number, functions: ReadonlySet<string>): boolean {
  const token = tokens[index];
  const isName = token?.kind === 'word' || token?.kind === 'quoted';
  return isName && functions.has(token.text) && isSymbol('(')(tokens[index + 1]);
}

/** Words that no reading statement holds outside of quotes. */
const refusedWords: ReadonlySet<string> = new Set([
  'call',
  'delete',
  'dumpfile',
  'handler',
  'into',
  'kill',
  'load',
  'lock',
  'outfile',
  'procedure',
  'update',
]);

function readProblem(tokens: readonly SqlToken[]): string | undefined {
  const first = tokens.find((token) => !isSymbol('(')(token));
  const refusal = firstWordProblem(tokens, first);
  if (refusal !== undefined) return refusal;
  for (const [index, token] of tokens.entries()) {
    const problem = isSymbol('(')(token)
      ? callProblem(tokens, index)
      : isAfterQualifier(tokens, index)
        ? undefined
        : wordProblem(tokens, index);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function firstWordProblem(tokens: readonly SqlToken[], first: SqlToken | undefined): string | undefined {
  if (isWord(first, 'select', 'with', 'values', 'table')) return undefined;
  if (isWord(first, 'show')) return showProblem(tokens);
  if (isWord(first, 'explain', 'describe', 'desc')) {
    return tokens.some((token) => isWord(token, 'connection'))
      ? 'EXPLAIN of a connection is refused'
      : undefined;
  }
  return 'only SELECT, WITH … SELECT, SHOW, EXPLAIN and DESCRIBE are allowed: access is read-only';
}

const shown: ReadonlySet<string> = new Set([
  'columns',
  'create',
  'databases',
  'fields',
  'index',
  'indexes',
  'keys',
  'schemas',
  'table',
  'tables',
  'triggers',
  'warnings',
]);

function showProblem(tokens: readonly SqlToken[]): string | undefined {
  const [, ...rest] = tokens;
  const what = rest.find((token) => !isWord(token, 'full', 'extended'));
  const isKnown = what?.kind === 'word' && shown.has(what.text);
  const object = rest[rest.indexOf(what as SqlToken) + 1];
  const isCreated = !isWord(what, 'create') || isWord(object, 'table', 'view', 'database', 'schema');
  return isKnown && isCreated
    ? undefined
    : 'SHOW is allowed of tables, columns, indexes, views and databases only';
}

/** Whether the token is a name after a point, which may be any word. A number's point does not make one. */
function isAfterQualifier(tokens: readonly SqlToken[], index: number): boolean {
  if (!isSymbol('.')(tokens[index - 1])) return false;
  const qualifier = tokens[index - 2];
  return qualifier?.kind === 'quoted' || (qualifier?.kind === 'word' && !/^\d/.test(qualifier.text));
}

function wordProblem(tokens: readonly SqlToken[], index: number): string | undefined {
  const token = tokens[index];
  if (token?.kind !== 'word') return undefined;
  const next = tokens[index + 1];
  const isCalled = isSymbol('(')(next);
  if (refusedWords.has(token.text)) return `${token.text.toUpperCase()} is refused: access is read-only`;
  if (isWord(token, 'insert', 'replace') && !isCalled) {
    return `${token.text.toUpperCase()} is refused: access is read-only`;
  }
  if (isWord(token, 'for') && isWord(next, 'update', 'share')) return 'locking rows is refused';
  if (isWord(token, 'next', 'previous') && isWord(next, 'value')) return 'sequences are refused';
  return undefined;
}

/** What is wrong with the name before the parenthesis at `index`. */
function callProblem(tokens: readonly SqlToken[], index: number): string | undefined {
  const name = tokens[index - 1];
  if (name === undefined || name.kind === 'symbol' || name.kind === 'string') return undefined;
  if (namesColumns(tokens, index)) return undefined;
  const isPlain = name.kind === 'word' && !isSymbol('.')(tokens[index - 2]);
  const isKnown = mysqlFunctions.has(name.text) || mysqlWordsBeforeParenthesis.has(name.text);
  return isPlain && isKnown ? undefined : `the function ${name.text} is not among the allowed ones`;
}

/** Whether the parenthesis lists the columns of a named query: `name (…) AS (`, or of a table's alias: `AS name (…)`. */
function namesColumns(tokens: readonly SqlToken[], index: number): boolean {
  if (isWord(tokens[index - 2], 'as')) return true;
  const close = closingOf(tokens, index);
  return isWord(tokens[close + 1], 'as') && isSymbol('(')(tokens[close + 2]);
}

function closingOf(tokens: readonly SqlToken[], open: number): number {
  let depth = 0;
  for (let at = open; at < tokens.length; at += 1) {
    if (isSymbol('(')(tokens[at])) depth += 1;
    else if (isSymbol(')')(tokens[at])) depth -= 1;
    if (depth === 0) return at;
  }
  return tokens.length;
}

const changes: ReadonlySet<string> = new Set([
  'insert',
  'update',
  'delete',
  'replace',
  'select',
  'with',
  'explain',
]);
const definitions: ReadonlySet<string> = new Set(['create', 'alter', 'drop', 'truncate', 'rename']);
const defined: ReadonlySet<string> = new Set(['table', 'tables', 'index', 'view', 'sequence']);
const beforeDefined: ReadonlySet<string> = new Set([
  'or',
  'replace',
  'temporary',
  'unique',
  'fulltext',
  'spatial',
  'online',
  'offline',
  'ignore',
]);
const engines: ReadonlySet<string> = new Set(['innodb', 'aria', 'myisam', 'memory']);

function writeProblem(tokens: readonly SqlToken[]): string | undefined {
  const [first, ...rest] = tokens;
  const verb = first?.kind === 'word' ? first.text : '';
  if (tokens.some((token) => isWord(token, 'outfile', 'dumpfile', 'infile'))) return 'files are refused';
  if (changes.has(verb)) return undefined;
  if (!definitions.has(verb)) return `${verb.toUpperCase() || 'this statement'} is refused`;
  const object = rest.find((token) => token.kind !== 'word' || !beforeDefined.has(token.text));
  const isDefined = object?.kind === 'word' && defined.has(object.text);
  if (!isDefined && verb !== 'truncate')
    return `${verb.toUpperCase()} is allowed of tables, indexes and views only`;
  return storageProblem(tokens);
}

/** Table options that lead to files or to other servers. */
function storageProblem(tokens: readonly SqlToken[]): string | undefined {
  for (const [index, token] of tokens.entries()) {
    if (isWord(token, 'directory', 'connection', 'tablespace', 'discard', 'import')) {
      return `${token.text.toUpperCase()} is refused; a column of that name goes in backticks`;
    }
    if (!isWord(token, 'engine')) continue;
    const value = isSymbol('=')(tokens[index + 1]) ? tokens[index + 2] : tokens[index + 1];
    if (value?.kind !== 'word' || !engines.has(value.text)) return 'this storage engine is refused';
  }
  return undefined;
}
