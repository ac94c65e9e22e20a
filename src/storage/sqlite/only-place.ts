import { closeSync, existsSync, openSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { isBusy } from './database.ts';

/** How long a process that is just ending is waited for. */
const defaultWaitMs = 5_000;

/** The place of the one process that counts in its own memory. */
export interface OnlyPlace {
  leave(): void;
}

/**
 * Takes the place that the file at `path`, which is created and stays empty, stands for. It is an exclusive lock of
 * SQLite: the system lets go of it when the process ends, however it ends.
 *
 * @throws Error when another process has it, or the file cannot be made.
 */
export function takeOnlyPlace(path: string, waitMs = defaultWaitMs): OnlyPlace {
  // To close a file gives up every lock that this process has on it (POSIX, fcntl): one that is there is left alone.
  if (!existsSync(path)) closeSync(openSync(path, 'a', 0o600));
  const lock = new DatabaseSync(path, { timeout: waitMs });
  try {
    // No file of a journal beside it: nothing is written.
    lock.exec('PRAGMA journal_mode = MEMORY');
    lock.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    lock.close();
    throw isBusy(error) ? new Error(takenMessage) : error;
  }
  return { leave: () => lock.close() };
}

const takenMessage =
  'another process serves from the same DATA_DIR: more than one needs REDIS_URL, where they count together';
