import { resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { parentPort, workerData } from 'node:worker_threads';
import type { SqliteAnswer, SqliteRequest } from './sqlite-request.ts';
import { readSqliteSchema } from './sqlite-schema.ts';
import { runSqliteStatement } from './sqlite-statement-run.ts';

parentPort?.postMessage(answer(workerData as SqliteRequest));

function answer(request: SqliteRequest): SqliteAnswer {
  const writes = request.task === 'run' && request.writes;
  let database: DatabaseSync;
  try {
    database = openDatabase(request, writes);
  } catch (error) {
    return { ok: false, blame: 'connection', message: messageOf(error) };
  }
  try {
    if (request.task === 'run') return { ok: true, task: 'run', text: runSqliteStatement(database, request) };
    const version = String(database.prepare('SELECT sqlite_version() AS version').get()?.version);
    return { ok: true, task: 'inspect', version, tables: readSqliteSchema(database) };
  } catch (error) {
    return { ok: false, blame: 'statement', message: messageOf(error) };
  } finally {
    database.close();
  }
}

/** Opens a file that exists; none is created. */
function openDatabase({ path, limits }: SqliteRequest, writes: boolean): DatabaseSync {
  const url = pathToFileURL(resolve(path));
  url.search = writes ? 'mode=rw' : 'mode=ro';
  const database = new DatabaseSync(url, {
    readOnly: !writes,
    timeout: limits.lockTimeoutMs,
    enableForeignKeyConstraints: true,
    allowExtension: false,
    defensive: true,
  });
  try {
    // Functions in views and triggers of the file get no more rights than the statement has.
    database.exec(`
      PRAGMA trusted_schema = OFF;
      PRAGMA temp_store = MEMORY;
      PRAGMA cell_size_check = ON;
      PRAGMA query_only = ${writes ? 'OFF' : 'ON'};
    `);
    // The file is read first here, and may prove to be none of SQLite's.
    database.prepare('SELECT count(*) FROM sqlite_schema').get();
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : 'the statement failed';
}
