import { constants } from 'node:sqlite';

/** Functions that reach files or code (sqlite.org/lang_corefunc.html, sqlite.org/cli.html, sqlite.org/fts3.html). */
const refusedFunctions: ReadonlySet<string> = new Set([
  'edit',
  'fts3_tokenizer',
  'fsdir',
  'load_extension',
  'readfile',
  'writefile',
]);

/** Pragmas that describe tables, and the one that full-text search asks. None of them takes a value to set. */
const readPragmas: ReadonlySet<string> = new Set([
  'data_version',
  'foreign_key_list',
  'index_info',
  'index_list',
  'index_xinfo',
  'table_info',
  'table_list',
  'table_xinfo',
]);

const reading: ReadonlySet<number> = new Set([
  constants.SQLITE_READ,
  constants.SQLITE_RECURSIVE,
  constants.SQLITE_SELECT,
]);

const writing: ReadonlySet<number> = new Set([
  constants.SQLITE_ALTER_TABLE,
  constants.SQLITE_ANALYZE,
  constants.SQLITE_CREATE_INDEX,
  constants.SQLITE_CREATE_TABLE,
  constants.SQLITE_CREATE_VIEW,
  constants.SQLITE_DELETE,
  constants.SQLITE_DROP_INDEX,
  constants.SQLITE_DROP_TABLE,
  constants.SQLITE_DROP_TRIGGER,
  constants.SQLITE_DROP_VIEW,
  constants.SQLITE_INSERT,
  constants.SQLITE_REINDEX,
  constants.SQLITE_UPDATE,
]);

/**
 * Returns the authorizer of a statement: what SQLite tells it about and it does not know is denied, so that nothing is
 * attached, vacuumed into a file, loaded or set, and no transaction is begun or ended.
 *
 * sqlite.org/c3ref/set_authorizer.html, sqlite.org/c3ref/c_alter_table.html
 */
export function createSqliteAuthorizer(
  writes: boolean,
): (action: number, first: string | null, second: string | null) => number {
  return (action, first, second) => {
    const isAllowed =
      reading.has(action) ||
      (action === constants.SQLITE_FUNCTION && !refusedFunctions.has((second ?? '').toLowerCase())) ||
      (action === constants.SQLITE_PRAGMA && readPragmas.has((first ?? '').toLowerCase())) ||
      (writes && writing.has(action));
    return isAllowed ? constants.SQLITE_OK : constants.SQLITE_DENY;
  };
}
