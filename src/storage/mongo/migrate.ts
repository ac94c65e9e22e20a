import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Db } from 'mongodb';
import { createLease, keepLease, type Lease, stateCollection } from './lease.ts';
import { migrations as allMigrations, type Migration } from './migrations.ts';

const schemaId = 'schema';
const leaseMs = 30_000;
const pauseMs = 200;

/** The schema's version; the document also carries the lease of who changes it. */
interface SchemaState {
  readonly _id: string;
  readonly version: number;
  readonly oldestReader: number;
}

export interface MigrateOptions {
  /** Unix milliseconds. */
  readonly now: () => number;
  /** How long to wait for another process that migrates. */
  readonly waitMs?: number;
  readonly migrations?: readonly Migration[];
}

/**
 * Says whether the schema is one that this version works with.
 *
 * @throws Error when a newer version made it and says that this one cannot read it.
 */
export async function isUpToDate(
  database: Db,
  migrations: readonly Migration[] = allMigrations,
): Promise<boolean> {
  const { version, oldestReader } = await readState(database);
  if (oldestReader > migrations.length) {
    throw new Error(
      `the store has schema version ${version}; this version of the service knows ${migrations.length}: start a newer one`,
    );
  }
  return version >= migrations.length;
}

/**
 * Runs the migrations that the database has not seen, under a lease that one process at a time holds. A schema that is
 * up to date is not written to; one that a newer version made is left alone when that version says that it can be read.
 *
 * @throws Error when a newer version of the service says that this one cannot read its records, or when another process
 *   migrates for longer than `waitMs`.
 */
export async function migrate(
  database: Db,
  { now, waitMs = 600_000, migrations = allMigrations }: MigrateOptions,
): Promise<void> {
  const fields = { version: 0, oldestReader: 0 };
  const lease = createLease(database, { id: schemaId, token: randomUUID(), leaseMs, fields });
  const giveUpAtMs = now() + waitMs;
  while (!(await isUpToDate(database, migrations))) {
    if (await lease.take(now())) await runMigrations(database, migrations, lease, now);
    else if (now() >= giveUpAtMs)
      throw new Error('another process has been migrating the store for too long');
    else await sleep(pauseMs);
  }
}

async function runMigrations(
  database: Db,
  migrations: readonly Migration[],
  lease: Lease,
  now: () => number,
): Promise<void> {
  // One that cannot be renewed ends; what another process then repeats does no harm.
  const kept = keepLease(lease, now, leaseMs);
  try {
    const present = await readState(database);
    for (const [index, { run, oldestReader }] of migrations.entries()) {
      const version = index + 1;
      if (version <= present.version) continue;
      await run(database);
      // Not back: one whose lease ended meanwhile may be behind.
      const older = { _id: schemaId, version: { $lt: version } };
      await states(database).updateOne(older, { $set: { version, oldestReader } });
    }
  } finally {
    await kept.release();
  }
}

async function readState(database: Db): Promise<Pick<SchemaState, 'version' | 'oldestReader'>> {
  return (await states(database).findOne({ _id: schemaId })) ?? { version: 0, oldestReader: 0 };
}

function states(database: Db) {
  return database.collection<SchemaState>(stateCollection);
}
