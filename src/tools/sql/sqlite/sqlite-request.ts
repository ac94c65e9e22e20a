import type { SqlTable } from '../../../domain/sql/schema.ts';
import type { SqlLimits } from '../sql-driver.ts';

/** What the child process is asked, once. */
export type SqliteRequest = {
  readonly path: string;
  readonly limits: SqlLimits;
} & ({ readonly task: 'run'; readonly sql: string; readonly writes: boolean } | { readonly task: 'inspect' });

/** What it answers, once. */
export type SqliteAnswer =
  | { readonly ok: true; readonly task: 'run'; readonly text: string }
  | {
      readonly ok: true;
      readonly task: 'inspect';
      readonly version: string;
      readonly tables: readonly SqlTable[];
    }
  | { readonly ok: false; readonly blame: 'statement' | 'connection'; readonly message: string };
