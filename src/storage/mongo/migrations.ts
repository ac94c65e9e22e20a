import type { Db } from 'mongodb';
import { applySchema } from './apply-schema.ts';

export interface Migration {
  /** The oldest schema version whose processes can go on beside this one. */
  readonly oldestReader: number;
  /** Brings the database to this version. A process may have died anywhere in it: it can be run again. */
  run(database: Db): Promise<void>;
}

/**
 * Every migration in order; its place in the list, from 1, is the schema version it leads to.
 *
 * While an update rolls out, processes of the version before run beside those of the new one. They ignore fields that
 * they do not know and leave them in place when they write; a field that a migration adds is nullable, and reads as
 * null where they left it out. A migration that cannot keep to that sets `oldestReader`, and needs a stop.
 */
export const migrations: readonly Migration[] = [{ oldestReader: 1, run: applySchema }];
