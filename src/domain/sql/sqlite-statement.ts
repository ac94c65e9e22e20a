import type { SqlAccess } from './access.ts';
import { onlyOneStatement, refusedStatement, type StatementCheck } from './statement-check.ts';
import { type SqlToken, sqliteSyntax, tokenizeSql } from './tokens.ts';

const reading: ReadonlySet<string> = new Set(['select', 'values', 'explain', 'pragma']);
const changing: ReadonlySet<string> = new Set([
  'insert',
  'update',
  'delete',
  'replace',
  'create',
  'alter',
  'drop',
  'reindex',
  'analyze',
]);

/**
 * Decides whether SQLite may see a statement, by its verb: what it touches and calls is the authorizer's to judge, which
 * hears of it from SQLite itself.
 */
export function checkSqliteStatement(sql: string, access: SqlAccess): StatementCheck {
  const tokens = tokenizeSql(sql, sqliteSyntax);
  if (tokens === undefined) return refusedStatement('a string, a quoted name or a comment does not end');
  const first = tokens[0];
  if (first === undefined) return refusedStatement('the statement is empty');
  if (hasSeveral(tokens)) return onlyOneStatement;
  const verb = first.kind === 'word' ? first.text : '';
  if (reading.has(verb)) return { ok: true, writes: false };
  const isChanging =
    changing.has(verb) ||
    (verb === 'with' && tokens.some(({ kind, text }) => kind === 'word' && changing.has(text)));
  if (!isChanging && verb !== 'with')
    return refusedStatement(`${verb.toUpperCase() || 'this statement'} is refused`);
  if (isChanging && access === 'read' && verb !== 'with') {
    return refusedStatement(`${verb.toUpperCase()} is refused: access is read-only`);
  }
  return { ok: true, writes: isChanging && access === 'write' };
}

function hasSeveral(tokens: readonly SqlToken[]): boolean {
  const isSemicolon = ({ kind, text }: SqlToken) => kind === 'symbol' && text === ';';
  const end = tokens.findIndex(isSemicolon);
  return end >= 0 && !tokens.slice(end).every(isSemicolon);
}
