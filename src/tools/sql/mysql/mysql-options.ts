import type { ConnectionOptions } from 'mysql2';
import { SqlFailure } from '../sql-driver.ts';

/** By the names that MySQL's own programs give to the setting (--ssl-mode). */
const tlsModes: Readonly<Record<string, ConnectionOptions['ssl'] | undefined>> = {
  disabled: undefined,
  required: { rejectUnauthorized: false },
  verify_ca: {},
  verify_identity: { verifyIdentity: true },
};

/**
 * Returns how to reach `mysql://user:password@host:port/database?ssl-mode=verify_identity`. Nothing else of the query is
 * taken, so that no URL turns on what statements must not have: several at once, local files.
 *
 * @throws SqlFailure
 */
export function toConnectionOptions(text: string, connectTimeout: number): ConnectionOptions {
  const url = new URL(text);
  const mode = (url.searchParams.get('ssl-mode') ?? 'disabled').toLowerCase();
  if (!Object.hasOwn(tlsModes, mode)) {
    throw new SqlFailure('connection', `ssl-mode must be one of ${Object.keys(tlsModes).join(', ')}`);
  }
  const ssl = tlsModes[mode];
  const database = decodeURIComponent(url.pathname.slice(1));
  return {
    host: url.hostname.replace(/^\[(.*)\]$/, '$1'),
    port: url.port === '' ? 3_306 : Number(url.port),
    user: decodeURIComponent(url.username),
    password: decodeURIComponent(url.password),
    ...(database !== '' && { database }),
    ...(ssl !== undefined && { ssl }),
    connectTimeout,
    charset: 'utf8mb4',
    multipleStatements: false,
    flags: ['-LOCAL_FILES'],
    // The parser of rows is otherwise made of code that holds the names of columns.
    disableEval: true,
    rowsAsArray: true,
    dateStrings: true,
    jsonStrings: true,
    supportBigNumbers: true,
    bigNumberStrings: true,
  };
}
