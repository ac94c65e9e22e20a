import { nextTick } from 'node:process';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { migrate } from './migrate.ts';

/** How long a write waits for the writer of another process, milliseconds, unless said otherwise. */
const busyTimeoutDefaultMs = 5_000;

/** How much of that it waits in place, holding the event loop, before it lets others go on between its attempts. */
const blockingWaitMs = 10;
const retryPauseMs = 5;

/**
 * One connection to the embedded store's file, through which a process reads and writes.
 *
 * Reads run at once and see everything that any process has committed. Writes are queued and committed together at
 * the end of the event loop's turn (group commit), so that a burst of them costs one flush to the disk.
 */
export interface Database {
  prepare(sql: string): StatementSync;
  /**
   * Runs `operation` alone among the writers of all processes, commits it with its neighbours of the same turn, and
   * resolves to what it returned once the disk has it. When it throws, nothing of it is kept and the others stand.
   */
  write<T>(operation: () => T): Promise<T>;
  /**
   * Returns a number that stays the same as long as no other process has committed anything: what was read under one
   * version and not changed by this process is still true under it.
   *
   * The file is asked once in a turn of the event loop (a callback and the promises that it settles): within a turn a
   * process cannot have heard of a write that another one finished in it.
   */
  version(): number;
  /** Commits what is queued and closes the file. Later operations reject. */
  close(): void;
}

interface QueuedWrite {
  readonly run: () => void;
  /** Called once the outcome is durable, or with the failure of the commit. */
  readonly done: (failure?: unknown) => void;
}

/**
 * Opens the file at `path`, creating it and bringing its schema up to date.
 *
 * Durability: write-ahead log with `synchronous=FULL`, so that a commit has reached the disk when its write resolves
 * and outlives the loss of power (sqlite.org/pragma.html#pragma_synchronous).
 */
export function openDatabase(path: string, busyTimeoutMs = busyTimeoutDefaultMs): Database {
  const connection = new DatabaseSync(path, { timeout: busyTimeoutMs });
  try {
    enterWriteAheadLog(connection, busyTimeoutMs);
    connection.exec('PRAGMA synchronous = FULL');
    migrate(connection);
  } catch (error) {
    connection.close();
    throw error;
  }

  const dataVersion = connection.prepare('PRAGMA data_version');
  dataVersion.setReturnArrays(true);
  const begin = connection.prepare('BEGIN IMMEDIATE');
  const commit = connection.prepare('COMMIT');
  const rollback = connection.prepare('ROLLBACK');
  const savepoint = connection.prepare('SAVEPOINT operation');
  const release = connection.prepare('RELEASE operation');
  const undo = connection.prepare('ROLLBACK TO operation');

  let queue: QueuedWrite[] = [];
  let waitingSinceMs: number | undefined;
  let failedCommits = 0;
  let versionOfTurn: number | undefined;

  function lockForWriting(waitMs: number): void {
    connection.exec(`PRAGMA busy_timeout = ${waitMs}`);
    try {
      begin.run();
    } finally {
      connection.exec(`PRAGMA busy_timeout = ${busyTimeoutMs}`);
    }
  }

  function flush(waitMs = blockingWaitMs): void {
    if (queue.length === 0 || !connection.isOpen) return;
    try {
      lockForWriting(waitMs);
    } catch (error) {
      waitingSinceMs ??= performance.now();
      if (isBusy(error) && performance.now() - waitingSinceMs < busyTimeoutMs) {
        setTimeout(flush, retryPauseMs, blockingWaitMs);
        return;
      }
      waitingSinceMs = undefined;
      for (const write of takeQueue()) write.done(error);
      return;
    }
    waitingSinceMs = undefined;
    const batch = takeQueue();
    // What others committed before the lock was given is part of this turn.
    versionOfTurn = undefined;
    try {
      for (const write of batch) {
        write.run();
        // A full disk, for one, makes SQLite give up the whole transaction by itself.
        if (!connection.isTransaction) throw new Error('the store rolled the transaction back');
      }
      commit.run();
    } catch (error) {
      failedCommits += 1;
      versionOfTurn = undefined;
      if (connection.isTransaction) rollback.run();
      for (const write of batch) write.done(error);
      return;
    }
    for (const write of batch) write.done();
  }

  /** A tick asked for among promises comes after all of them; asked for before, it would come first. */
  function endTurnLater(): void {
    nextTick(endTurn);
  }

  function endTurn(): void {
    versionOfTurn = undefined;
  }

  function takeQueue(): readonly QueuedWrite[] {
    const taken = queue;
    queue = [];
    return taken;
  }

  function atomically<T>(operation: () => T): T {
    savepoint.run();
    try {
      return operation();
    } catch (error) {
      undo.run();
      throw error;
    } finally {
      release.run();
    }
  }

  return {
    prepare: (sql) => connection.prepare(sql),

    write<T>(operation: () => T): Promise<T> {
      return new Promise<T>((resolve, reject) => {
        if (!connection.isOpen) throw new Error('the store is closed');
        let settle = () => reject(new Error('the write did not run'));
        if (queue.length === 0) setImmediate(flush, blockingWaitMs);
        queue.push({
          run() {
            try {
              const result = atomically(operation);
              settle = () => resolve(result);
            } catch (error) {
              settle = () => reject(error);
            }
          },
          done: (failure) => (failure === undefined ? settle() : reject(failure)),
        });
      });
    },

    version() {
      if (versionOfTurn === undefined) {
        const [version] = dataVersion.get() as unknown as [number];
        versionOfTurn = version + failedCommits;
        queueMicrotask(endTurnLater);
      }
      return versionOfTurn;
    },

    close() {
      flush(busyTimeoutMs);
      const unwritten = new Error('the store was closed before it could write');
      for (const write of takeQueue()) write.done(unwritten);
      if (connection.isOpen) connection.close();
    },
  };
}

/** Switching a new file to the log needs it alone for a moment, and SQLite does not wait for that by itself. */
function enterWriteAheadLog(connection: DatabaseSync, timeoutMs: number): void {
  const sleeper = new Int32Array(new SharedArrayBuffer(4));
  for (let attempt = 0; ; attempt += 1) {
    try {
      connection.exec('PRAGMA journal_mode = WAL');
      return;
    } catch (error) {
      const pauseMs = 10;
      if (attempt * pauseMs > timeoutMs) throw error;
      Atomics.wait(sleeper, 0, 0, pauseMs);
    }
  }
}

/** Whether another connection has the lock that an operation needs. */
export function isBusy(error: unknown): boolean {
  const sqliteBusy = 5;
  return error instanceof Error && 'errcode' in error && Number(error.errcode) % 256 === sqliteBusy;
}
