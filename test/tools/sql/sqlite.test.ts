import {
  existsSync,
  globSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { limits } from '../../../src/domain/limits.ts';
import type { SqlAccess } from '../../../src/domain/sql/access.ts';
import type { SqlLimits } from '../../../src/tools/sql/sql-driver.ts';
import { sqliteDriver as driver } from '../../../src/tools/sql/sqlite/sqlite-driver.ts';
import { hostileToSqlite, usefulToSqlite } from './sqlite-corpus.ts';
import { until } from './until.ts';

const setUp = `
  CREATE TABLE customers (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
  CREATE TABLE orders (id INTEGER PRIMARY KEY, customer_id INT REFERENCES customers, total REAL);
  CREATE TABLE "Odd Name" (a INT, b INT, PRIMARY KEY (b, a), FOREIGN KEY (a, b) REFERENCES "Odd Name" (b, a));
  CREATE VIEW spent AS SELECT sum(total) AS total FROM orders;
  CREATE VIRTUAL TABLE notes USING fts5 (a);
  INSERT INTO notes VALUES ('hello world');
  INSERT INTO customers VALUES (1, 'Ann'), (2, 'Bo "B"' || char(10) || 'x');
  INSERT INTO orders VALUES (1, 1, 10.5), (2, 2, 20);`;

const endless = 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n';

describe('SQLite', () => {
  let folder: string;
  let path: string;

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'sqlite-tool-'));
    path = join(folder, 'shop.db');
    const database = new DatabaseSync(path);
    database.exec(setUp);
    database.close();
  });

  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  function run(
    sql: string,
    {
      access = 'read' as SqlAccess,
      signal = new AbortController().signal,
      ...changed
    }: { access?: SqlAccess; signal?: AbortSignal } & Partial<SqlLimits> = {},
  ): Promise<string> {
    return driver.run({ path }, { sql, access, limits: { ...limits.sql, ...changed }, signal });
  }

  const snapshot = () => ({
    bytes: readFileSync(path).toString('base64'),
    files: [...readdirSync(folder), ...globSync('/tmp/hostile-*')],
  });

  test('the corpus is large enough', () => {
    expect(new Set(hostileToSqlite).size).toBeGreaterThanOrEqual(85);
  });

  test.for(hostileToSqlite)('refuses, and nothing changes: %s', async (sql) => {
    const before = snapshot();
    await expect(run(sql)).rejects.toMatchObject({ blame: 'statement' });
    expect(snapshot()).toEqual(before);
  });

  test.for(usefulToSqlite)('gives the rows of %s', async ([sql, text]) => {
    expect(await run(sql)).toBe(text);
  });

  test('explains a statement', async () => {
    expect(await run('EXPLAIN QUERY PLAN SELECT * FROM orders')).toContain('SCAN orders');
  });

  test.for([
    "ATTACH '/tmp/hostile-attached' AS a",
    "VACUUM INTO '/tmp/hostile-vacuum'",
    'VACUUM',
    "INSERT INTO customers VALUES (9, writefile('/tmp/hostile-written', 'x'))",
    "SELECT load_extension('x')",
    'PRAGMA writable_schema = ON',
    'PRAGMA journal_mode = WAL',
    'CREATE TRIGGER t AFTER INSERT ON orders BEGIN DELETE FROM orders; END',
    'CREATE VIRTUAL TABLE v USING fts5 (a)',
    "UPDATE sqlite_schema SET sql = 'x'",
    'COMMIT',
    'INSERT INTO customers VALUES (9, 1); DELETE FROM orders',
  ])('may not do with access to write either: %s', async (sql) => {
    const before = snapshot();
    await expect(run(sql, { access: 'write' })).rejects.toMatchObject({ blame: 'statement' });
    expect(snapshot()).toEqual(before);
  });

  test('writes with access to write, and says what was done', async () => {
    const write = (sql: string) => run(sql, { access: 'write' });
    await write('CREATE TABLE todo (id INTEGER PRIMARY KEY, body TEXT NOT NULL)');
    expect(await write("INSERT INTO todo (body) VALUES ('a'), ('b')")).toBe('(done: 2 rows changed)');
    expect(await write("INSERT INTO todo (body) VALUES ('c') RETURNING id")).toBe('["id"]\n[3]\n(1 row)');
    expect(await write('UPDATE todo SET body = upper(body) WHERE id < 3')).toBe('(done: 2 rows changed)');
    await write('ALTER TABLE todo ADD COLUMN at TEXT');
    expect(
      await write('WITH a AS (SELECT 1 AS id) DELETE FROM todo WHERE id IN (SELECT id FROM a)'),
    ).toContain('1 rows');
    expect(await write('SELECT id, body FROM todo ORDER BY id')).toBe(
      '["id","body"]\n[2,"B"]\n[3,"c"]\n(2 rows)',
    );
    await expect(write('INSERT INTO todo (body) VALUES (NULL)')).rejects.toThrow(
      /NOT NULL constraint failed/,
    );
    await expect(write('INSERT INTO orders VALUES (3, 77, 1)')).rejects.toThrow(
      /FOREIGN KEY constraint failed/,
    );
    await write('DROP TABLE todo');
  });

  test('a change of more rows than are shown is made whole', async () => {
    const write = (sql: string) => run(sql, { access: 'write' });
    await write('CREATE TABLE many (a)');
    const numbers = 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 700)';
    const text = await write(`${numbers} INSERT INTO many SELECT i FROM n RETURNING a`);
    expect(text).toContain('(first 500 rows; there are more');
    expect(await write('SELECT count(*) FROM many')).toContain('[700]');
    await write('DROP TABLE many');
  });

  test.for([
    { rows: 499, shown: 499, closing: '(499 rows)' },
    { rows: 500, shown: 500, closing: '(500 rows)' },
    { rows: 501, shown: 500, closing: '(first 500 rows; there are more' },
    { rows: 10_000_000_000, shown: 500, closing: '(first 500 rows; there are more' },
  ])('of $rows rows shows $shown', async ({ rows, shown, closing }) => {
    const sql = `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${rows}) SELECT i FROM n`;
    const lines = (await run(sql)).split('\n');
    expect(lines).toHaveLength(shown + 2);
    expect(lines.at(-1)).toContain(closing);
  });

  test('keeps to the bytes of a result, and SQLite to its memory', async () => {
    const text = await run("SELECT replace(hex(zeroblob(200000)), '00', 'ä') AS a");
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(limits.sql.resultBytes);
    expect(text).toMatch(/ää…\n\(first 1 row, cut/);
    await expect(run('SELECT length(hex(zeroblob(400000000)))')).rejects.toThrow(/too much memory/);
  });

  test('stops a statement when its time is up', async () => {
    await expect(run(endless, { statementTimeoutMs: 400 })).rejects.toThrow('longer than 0.4 s');
    await until(async () => childrenOf(path) === 0);
  });

  test('the service goes on while a statement runs, which ends when its caller leaves', async () => {
    const leaving = new AbortController();
    const running = run(endless, { signal: leaving.signal });
    running.catch(() => {});
    expect(await run('SELECT 1 AS a')).toContain('[1]');
    leaving.abort(new Error('gone'));
    await expect(running).rejects.toThrow('gone');
    await until(async () => childrenOf(path) === 0);
  });

  test('answers many at once, each its own', async () => {
    const answers = await Promise.all(Array.from({ length: 6 }, (_, n) => run(`SELECT ${n} AS n`)));
    expect(answers).toEqual(Array.from({ length: 6 }, (_, n) => `["n"]\n[${n}]\n(1 row)`));
  });

  test('reads a database with a write-ahead log while another process writes to it', async () => {
    const logged = join(folder, 'logged.db');
    const writer = new DatabaseSync(logged);
    writer.exec(
      "PRAGMA journal_mode = WAL; CREATE TABLE t (a); INSERT INTO t VALUES ('x'); BEGIN IMMEDIATE; DELETE FROM t",
    );
    const request = { access: 'read', limits: limits.sql, signal: new AbortController().signal } as const;
    expect(await driver.run({ path: logged }, { sql: 'SELECT a FROM t', ...request })).toContain('"x"');
    writer.close();
  });

  test('creates no file and says when one is no database', async () => {
    const request = { sql: 'SELECT 1', limits: limits.sql, signal: new AbortController().signal } as const;
    const missing = join(folder, 'missing.db');
    const text = join(folder, 'text.db');
    writeFileSync(text, 'no database at all, but long enough to be looked at '.repeat(40));
    for (const access of ['read', 'write'] as const) {
      for (const file of [missing, text, folder]) {
        await expect(driver.run({ path: file }, { ...request, access })).rejects.toMatchObject({
          blame: 'connection',
          message: 'the database could not be opened',
        });
      }
    }
    expect(existsSync(missing)).toBe(false);
  });

  test('describes what the file holds', async () => {
    const { signal } = new AbortController();
    const { product, tables } = await driver.inspect({ path }, { limits: limits.sql, signal });
    expect(product).toMatch(/^SQLite 3\./);
    expect(tables).toEqual([
      {
        name: '"Odd Name"',
        isView: false,
        columns: [
          { name: 'a', type: 'int' },
          { name: 'b', type: 'int' },
        ],
        primaryKey: ['b', 'a'],
        foreignKeys: [{ columns: ['a', 'b'], table: '"Odd Name"', referenced: ['b', 'a'] }],
      },
      {
        name: 'customers',
        isView: false,
        columns: [
          { name: 'id', type: 'integer' },
          { name: 'name', type: 'text' },
        ],
        primaryKey: ['id'],
        foreignKeys: [],
      },
      { name: 'notes', isView: false, columns: [{ name: 'a', type: '' }], primaryKey: [], foreignKeys: [] },
      {
        name: 'orders',
        isView: false,
        columns: [
          { name: 'id', type: 'integer' },
          { name: 'customer_id', type: 'int' },
          { name: 'total', type: 'real' },
        ],
        primaryKey: ['id'],
        foreignKeys: [{ columns: ['customer_id'], table: 'customers', referenced: [] }],
      },
      {
        name: 'spent',
        isView: true,
        columns: [{ name: 'total', type: '' }],
        primaryKey: [],
        foreignKeys: [],
      },
    ]);
  });
});

/** Processes that have the file open, as far as this machine can tell. */
function childrenOf(path: string): number {
  return globSync('/proc/[0-9]*/fd/*').filter((link) => {
    try {
      return readlinkSync(link) === path;
    } catch {
      return false;
    }
  }).length;
}
