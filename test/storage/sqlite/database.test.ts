import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Database, openDatabase } from '../../../src/storage/sqlite/database.ts';
import { migrations } from '../../../src/storage/sqlite/migrations/migrations.ts';
import { openSqliteStore } from '../../../src/storage/sqlite/open-sqlite-store.ts';

let folder: string;
let path: string;
const opened: { close(): void }[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'service-database-'));
  path = join(folder, 'service.db');
});

afterEach(() => {
  for (const database of opened.splice(0)) database.close();
  rmSync(folder, { recursive: true });
});

function open(busyTimeoutMs?: number): Database {
  const database = openDatabase(path, busyTimeoutMs);
  opened.push(database);
  return database;
}

/** A connection of another process, as SQLite sees it. */
function openBare(): DatabaseSync {
  const bare = new DatabaseSync(path);
  opened.push({ close: () => bare.isOpen && bare.close() });
  return bare;
}

function insert(database: Database, id: string): Promise<void> {
  const statement = database.prepare('INSERT INTO organizations (id, document) VALUES (?, ?)');
  return database.write(() => void statement.run(id, '{"createdAtMs":1}'));
}

describe('the embedded store file', () => {
  test('is flushed to the disk at every commit', () => {
    const database = open();
    expect(database.prepare('PRAGMA journal_mode').get()).toEqual({ journal_mode: 'wal' });
    expect(database.prepare('PRAGMA synchronous').get()).toEqual({ synchronous: 2 });
  });

  test('is readable by its owner only', async () => {
    const store = openSqliteStore({ path: join(folder, 'new', 'service.db') });
    expect(statSync(join(folder, 'new')).mode & 0o777).toBe(0o700);
    expect(statSync(join(folder, 'new', 'service.db')).mode & 0o777).toBe(0o600);
    await store.close();
  });

  test('is brought up to date once and then left alone', () => {
    open();
    const before = openBare().prepare('PRAGMA data_version').get();
    const again = open();
    expect(again.prepare('PRAGMA user_version').get()).toEqual({ user_version: migrations.length });
    expect(openBare().prepare('PRAGMA data_version').get()).toEqual(before);
  });

  test('of a newer version is refused and not touched', () => {
    open();
    const bare = openBare();
    bare.exec(`PRAGMA user_version = ${migrations.length + 1}`);
    expect(() => openDatabase(path)).toThrow('start a newer one');
  });
});

describe('the version', () => {
  test('changes with every commit of another process, seen at the latest in the next turn', async () => {
    const database = open();
    const writer = openBare();
    const seen = new Set<number>();
    for (let round = 0; round < 5; round += 1) {
      seen.add(database.version());
      writer.exec(`INSERT INTO organizations (id, document) VALUES ('${round}', '{"createdAtMs":1}')`);
      await new Promise((resolve) => setImmediate(resolve));
    }
    seen.add(database.version());
    expect(seen.size).toBe(6);
  });

  test("stays the same with this process's own commits", async () => {
    const database = open();
    const before = database.version();
    await insert(database, 'a');
    expect(database.version()).toBe(before);
  });

  test('within a write is that of what the write reads, also at the end of a turn that looked before', async () => {
    const database = open();
    const before = database.version();
    let within = before;
    const write = database.write(() => {
      within = database.version();
    });
    openBare().exec(`INSERT INTO organizations (id, document) VALUES ('other', '{"createdAtMs":1}')`);
    database.close();
    await write;
    expect(within).not.toBe(before);
  });
});

describe('writes', () => {
  test('of one turn are committed together, and the one that throws leaves nothing', async () => {
    const database = open();
    const watcher = openBare();
    const version = watcher.prepare('PRAGMA data_version');
    const count = watcher.prepare('SELECT count(*) AS organizations FROM organizations');
    const before = Number(version.get()?.data_version);
    const select = database.prepare('INSERT INTO organizations (id, document) VALUES (?, ?)');
    const results = await Promise.allSettled([
      insert(database, 'a'),
      database.write(() => {
        select.run('half', '{"createdAtMs":1}');
        throw new Error('no');
      }),
      insert(database, 'b'),
    ]);
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(count.get()).toEqual({ organizations: 2 });
    expect(Number(version.get()?.data_version)).toBe(before + 1);
  });

  test('wait for another process that is writing, without holding the event loop', async () => {
    const database = open();
    const writer = openBare();
    writer.exec('BEGIN IMMEDIATE');
    let written = false;
    const write = insert(database, 'a').then(() => {
      written = true;
    });
    // Each timer fires only when the loop turns; the write cannot have run before the lock is given back.
    for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setTimeout(resolve, 1));
    expect(written).toBe(false);
    writer.exec('COMMIT');
    await write;
    expect(written).toBe(true);
  });

  test('reject when another process does not stop writing', async () => {
    const database = open(30);
    const writer = openBare();
    writer.exec('BEGIN IMMEDIATE');
    await expect(insert(database, 'a')).rejects.toThrow('locked');
    writer.exec('COMMIT');
    await insert(database, 'b');
  });

  test('that cannot be committed reject, and what was remembered is not trusted', async () => {
    const database = open();
    const before = database.version();
    const write = database.write(() => database.prepare('COMMIT').run());
    await expect(write).rejects.toThrow();
    expect(database.version()).not.toBe(before);
    await insert(database, 'a');
  });
});
