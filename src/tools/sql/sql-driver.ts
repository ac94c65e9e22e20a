import type { SqlAccess } from '../../domain/sql/access.ts';
import type { SqlTable } from '../../domain/sql/schema.ts';
import type { StatementCheck } from '../../domain/sql/statement-check.ts';

/**
 * One kind of database.
 *
 * Invariants:
 * - Nothing reaches a database that `check` refuses.
 * - A statement that `check` says does not write runs where it cannot write: read-only transaction, read-only file.
 * - Every call opens a connection of its own and closes it, whatever happens.
 * - Where a statement leads is the administrator's choice alone, private addresses among it; a model can name none.
 */
export interface SqlDriver<Settings> {
  /** Name of the dialect, for the model. */
  readonly dialect: string;
  /** Looks at a statement before any database sees it. */
  check(sql: string, access: SqlAccess): StatementCheck;
  /**
   * Runs one statement and returns what the model reads.
   *
   * @throws SqlFailure; the signal's reason.
   */
  run(settings: Settings, request: SqlRequest): Promise<string>;
  /**
   * Looks at the database and at what the account may do there. Changes nothing.
   *
   * @throws SqlFailure; the signal's reason.
   */
  inspect(settings: Settings, request: Pick<SqlRequest, 'limits' | 'signal'>): Promise<SqlInspection>;
}

export interface SqlRequest {
  readonly sql: string;
  /** What the caller may do. */
  readonly access: SqlAccess;
  readonly limits: SqlLimits;
  readonly signal: AbortSignal;
}

export interface SqlLimits {
  readonly statementTimeoutMs: number;
  readonly lockTimeoutMs: number;
  readonly connectTimeoutMs: number;
  readonly rows: number;
  readonly resultBytes: number;
}

export interface SqlInspection {
  /** Product and version, such as `PostgreSQL 15.3`. */
  readonly product: string;
  readonly tables: readonly SqlTable[];
  /** Why the account is too mighty for callers that may only read; undefined: it is not. */
  readonly refusal: string | undefined;
}

/** Why a database did not do what was asked. */
export class SqlFailure extends Error {
  /**
   * `statement`: the statement is at fault, the message is for the model. `connection`: the database could not be
   * used; the message names no host, account or password, and the cause is for the log.
   */
  readonly blame: 'statement' | 'connection';

  constructor(blame: SqlFailure['blame'], message: string, cause?: unknown) {
    super(shortLine(message), { cause });
    this.name = 'SqlFailure';
    this.blame = blame;
  }
}

const messageChars = 500;

function shortLine(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > messageChars ? `${line.slice(0, messageChars).toWellFormed()}…` : line;
}

export function tooLate(limits: SqlLimits): SqlFailure {
  return new SqlFailure(
    'statement',
    `the statement took longer than ${limits.statementTimeoutMs / 1_000} s and was stopped`,
  );
}

export const tooWide = new SqlFailure(
  'statement',
  'the rows are too large to be read: select fewer or shorter columns',
);
