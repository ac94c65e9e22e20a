import { accounts } from './0001-accounts.ts';
import { conversations } from './0002-conversations.ts';
import { agents } from './0003-agents.ts';
import { sessions } from './0004-sessions.ts';

/**
 * Every migration in order; its place in the list, from 1, is the schema version it leads to. A released migration is
 * never changed: what must change gets one more at the end.
 *
 * How a kind of record is added: a migration that creates its table as `0001-accounts.ts` does (`id`, `document`, a
 * generated column for each field that is searched, unique or sorted by, and an index for each query); a file beside
 * `organizations.ts` that calls `createRecordStore` and adds what is its own; its place in `openSqliteStore` and in
 * `ports/store.ts`; its invariants in `test/contract/`.
 */
export const migrations: readonly string[] = [accounts, conversations, agents, sessions];
