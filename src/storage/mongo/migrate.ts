import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Collection, type Db, type Filter, MongoServerError } from 'mongodb';
import { migrations as allMigrations, type Migration } from './migrations.ts';

/** The collection of the store's own state. */
export const stateCollection = 'service_state';

const schemaId = 'schema';
const leaseMs = 30_000;
const pauseMs = 200;
const duplicateKey = 11_000;

/** The schema's version, and the lease of who changes it. */
interface SchemaState {
  readonly _id: typeof schemaId;
  readonly version: number;
  readonly oldestReader: number;
  readonly lockToken: string | null;
  readonly lockEndsAtMs: number | null;
}

export interface MigrateOptions {
  /** Unix milliseconds. */
  readonly now: () => number;
  /** How long to wait for another process that migrates. */
  readonly waitMs?: number;
  readonly migrations?: readonly Migration[];
}

/** Says whether the schema is one that this version works with. */
export async function isUpToDate(
  database: Db,
  migrations: readonly Migration[] = allMigrations,
): Promise<boolean> {
  const latest = migrations.length;
  const state = await states(database).findOne({ _id: schemaId });
  if (state === null || state.version < latest) return false;
  if (state.oldestReader > latest) {
    throw new Error(
      `the store has schema version ${state.version}; this version of the service knows ${latest}: start a newer one`,
    );
  }
  return true;
}

/**
 * Runs the migrations that the database has not seen, under a lease that one process at a time holds. A schema that is
 * up to date is not written to; one that a newer version made is left alone when that version says that it can be read.
 *
 * @throws Error when a newer version of the service says that this one cannot read its records, or when another process
 *   holds the lease for longer than it may take.
 */
export async function migrate(
  database: Db,
  { now, waitMs = 600_000, migrations = allMigrations }: MigrateOptions,
): Promise<void> {
  const token = randomUUID();
  const giveUpAtMs = now() + waitMs;
  while (!(await isUpToDate(database, migrations))) {
    if (await takeLease(states(database), token, now())) {
      await runMigrations(database, migrations, token, now);
    } else if (now() >= giveUpAtMs) {
      throw new Error('another process has been migrating the store for too long');
    } else {
      await sleep(pauseMs);
    }
  }
}

async function runMigrations(
  database: Db,
  migrations: readonly Migration[],
  token: string,
  now: () => number,
): Promise<void> {
  const held = { _id: schemaId, lockToken: token } as const;
  const renewal = setInterval(() => {
    // A lease that cannot be renewed ends; what another process then repeats does no harm.
    states(database)
      .updateOne(held, { $set: { lockEndsAtMs: now() + leaseMs } })
      .catch(() => {});
  }, leaseMs / 3);
  try {
    const state = await states(database).findOne(held);
    for (const [index, { run, oldestReader }] of migrations.entries()) {
      const version = index + 1;
      if (version <= (state?.version ?? 0)) continue;
      await run(database);
      await states(database).updateOne(held, { $set: { version, oldestReader } });
    }
  } finally {
    clearInterval(renewal);
    await states(database).updateOne(held, { $set: { lockToken: null, lockEndsAtMs: null } });
  }
}

/** False when another process holds it. */
async function takeLease(state: Collection<SchemaState>, token: string, nowMs: number): Promise<boolean> {
  const free: Filter<SchemaState> = {
    _id: schemaId,
    $or: [{ lockToken: null }, { lockEndsAtMs: { $lte: nowMs } }],
  };
  try {
    await state.updateOne(
      free,
      {
        $set: { lockToken: token, lockEndsAtMs: nowMs + leaseMs },
        $setOnInsert: { version: 0, oldestReader: 0 },
      },
      { upsert: true },
    );
    return true;
  } catch (error) {
    if (error instanceof MongoServerError && error.code === duplicateKey) return false;
    throw error;
  }
}

function states(database: Db): Collection<SchemaState> {
  return database.collection<SchemaState>(stateCollection);
}
