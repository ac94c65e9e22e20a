import type { Db } from 'mongodb';
import { stateCollection } from './lease.ts';

const importId = 'import';

/** Present from the first record of an import to its last check. */
interface ImportState {
  readonly _id: string;
  readonly startedAtMs: number;
}

/** @throws Error when an import began and did not end: what is there is not whole. */
export async function assertWhole(database: Db): Promise<void> {
  if (await isImporting(database)) {
    throw new Error('the store holds an unfinished import: run migrate-store again');
  }
}

export async function isImporting(database: Db): Promise<boolean> {
  return (await states(database).findOne({ _id: importId })) !== null;
}

export async function beginImport(database: Db, startedAtMs: number): Promise<void> {
  await states(database).updateOne({ _id: importId }, { $set: { startedAtMs } }, { upsert: true });
}

export async function endImport(database: Db): Promise<void> {
  await states(database).deleteOne({ _id: importId });
}

function states(database: Db) {
  return database.collection<ImportState>(stateCollection);
}
