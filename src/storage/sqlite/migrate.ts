import type { DatabaseSync } from 'node:sqlite';
import { migrations } from './migrations/migrations.ts';

/**
 * Brings the schema up to date: runs the migrations after the file's `user_version`, all in one transaction that only
 * one process at a time can hold. A file that is up to date is not written to.
 *
 * @throws Error when the file was written by a newer version of the service.
 */
export function migrate(connection: DatabaseSync): void {
  const latest = migrations.length;
  const present = schemaVersion(connection);
  if (present > latest) throw newer(present, latest);
  if (present === latest) return;
  connection.exec('BEGIN IMMEDIATE');
  try {
    // Another process may have migrated while this one waited for the lock.
    const locked = schemaVersion(connection);
    if (locked > latest) throw newer(locked, latest);
    for (const migration of migrations.slice(locked)) connection.exec(migration);
    connection.exec(`PRAGMA user_version = ${latest}`);
    connection.exec('COMMIT');
  } catch (error) {
    connection.exec('ROLLBACK');
    throw error;
  }
}

function schemaVersion(connection: DatabaseSync): number {
  return Number(connection.prepare('PRAGMA user_version').get()?.user_version);
}

function newer(present: number, latest: number): Error {
  return new Error(
    `the store has schema version ${present}; this version of the service knows ${latest}: start a newer one`,
  );
}
