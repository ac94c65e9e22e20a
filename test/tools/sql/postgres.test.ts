import { existsSync } from 'node:fs';
import { Client, type QueryResult } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { limits } from '../../../src/domain/limits.ts';
import type { SqlAccess } from '../../../src/domain/sql/access.ts';
import { openPostgresDriver } from '../../../src/tools/sql/postgres/postgres-driver.ts';
import type { SqlDriver, SqlLimits } from '../../../src/tools/sql/sql-driver.ts';
import { type DatabaseServer, postgresProgram, startPostgres } from '../../database-servers.ts';
import { describeWith } from '../../programs.ts';
import { hostileToPostgres, usefulToPostgres } from './postgres-corpus.ts';
import { until } from './until.ts';

const setUp = `
  CREATE ROLE owner LOGIN PASSWORD 'pass-owner';
  CREATE ROLE reader LOGIN PASSWORD 'pass-reader';
  CREATE ROLE filer LOGIN PASSWORD 'pass-filer';
  GRANT pg_read_server_files TO filer;
  CREATE EXTENSION dblink;
  GRANT CREATE ON SCHEMA public TO owner;
  CREATE SCHEMA sales AUTHORIZATION owner;
  SET ROLE owner;
  CREATE TABLE customers (id int PRIMARY KEY, name text NOT NULL);
  CREATE TABLE orders (id int PRIMARY KEY, customer_id int REFERENCES customers, total numeric(10, 2), placed_at timestamptz);
  CREATE TABLE sales.secret (a int, "Odd Name" varchar(20), PRIMARY KEY (a, "Odd Name"));
  CREATE TABLE hidden (a int);
  CREATE SEQUENCE orders_seq;
  CREATE MATERIALIZED VIEW totals AS SELECT sum(total) FROM orders;
  INSERT INTO customers VALUES (1, 'Ann'), (2, E'Bo "B"\\nx');
  INSERT INTO orders VALUES (1, 1, 10.5, '2026-01-01'), (2, 2, 20, '2026-01-02');
  INSERT INTO sales.secret VALUES (7, 'x');
  CREATE FUNCTION erase_all() RETURNS int LANGUAGE sql AS 'DELETE FROM orders RETURNING 1';
  CREATE FUNCTION erase_order(orders) RETURNS int LANGUAGE sql AS 'DELETE FROM orders RETURNING 1';
  CREATE FUNCTION shout(text) RETURNS void LANGUAGE sql AS 'SELECT pg_notify(''news'', $1)';
  CREATE FUNCTION shout_both(int, int) RETURNS int LANGUAGE plpgsql AS 'BEGIN PERFORM pg_notify(''news'', ''x''); RETURN 1; END';
  CREATE OPERATOR !!! (leftarg = int, rightarg = int, function = shout_both);
  CREATE PROCEDURE erase() LANGUAGE sql AS 'DELETE FROM orders';
  GRANT USAGE ON SCHEMA sales TO reader;
  GRANT SELECT ON customers, orders, sales.secret TO reader;
  RESET ROLE;`;

/** Everything that a statement could have left behind. */
const snapshotQuestion = `
  SELECT
    (SELECT json_agg(t ORDER BY id) FROM orders t) AS orders,
    (SELECT json_agg(t ORDER BY id) FROM customers t) AS customers,
    (SELECT json_agg(json_build_array(relname, relkind, reltuples, relacl::text) ORDER BY oid) FROM pg_class
      WHERE relname !~ '^pg_') AS relations,
    (SELECT count(*)::int FROM pg_proc) AS functions,
    (SELECT json_agg(json_build_array(rolname, rolconfig) ORDER BY oid) FROM pg_roles) AS roles,
    (SELECT json_agg(nspname ORDER BY oid) FROM pg_namespace WHERE nspname !~ '^pg_(toast_)?temp') AS schemas,
    (SELECT count(*)::int FROM pg_largeobject_metadata) AS objects,
    (SELECT count(*)::int FROM pg_description) AS comments,
    (SELECT count(*)::int FROM pg_prepared_xacts) AS prepared,
    (SELECT json_build_array(last_value, is_called) FROM orders_seq) AS sequence,
    (SELECT count(*)::int FROM pg_locks WHERE pid <> pg_backend_pid() AND locktype = 'advisory') AS locks`;

describeWith(postgresProgram, 'PostgreSQL', () => {
  let server: DatabaseServer;
  let observer: Client;
  let driver: SqlDriver<{ readonly url: string }>;
  const notices: unknown[] = [];

  beforeAll(async () => {
    driver = await openPostgresDriver();
    server = await startPostgres();
    observer = new Client(urlOf('root', 'root'));
    await observer.connect();
    await observer.query(setUp);
    observer.on('notification', (notice) => notices.push(notice));
    await observer.query('LISTEN news');
  });

  afterAll(async () => {
    await observer?.end();
    await server?.stop();
  });

  function urlOf(user: string, password = `pass-${user}`): string {
    return `postgres://${user}:${password}@127.0.0.1:${server.port}/postgres`;
  }

  function run(
    sql: string,
    {
      user = 'owner',
      access = 'read' as SqlAccess,
      signal = new AbortController().signal,
      ...changed
    }: { user?: string; access?: SqlAccess; signal?: AbortSignal } & Partial<SqlLimits> = {},
  ): Promise<string> {
    const url = user === 'root' ? urlOf('root', 'root') : urlOf(user);
    return driver.run({ url }, { sql, access, limits: { ...limits.sql, ...changed }, signal });
  }

  const snapshot = async () => (await observer.query(snapshotQuestion)).rows[0];

  function othersRunning(): Promise<QueryResult> {
    return observer.query("SELECT pid FROM pg_stat_activity WHERE usename = 'owner'");
  }

  test('the corpus is large enough', () => {
    expect(new Set(hostileToPostgres).size).toBeGreaterThanOrEqual(120);
  });

  test.for(hostileToPostgres)('refuses, and nothing changes: %s', async (sql) => {
    const before = await snapshot();
    await expect(run(sql)).rejects.toMatchObject({ blame: 'statement' });
    expect(await snapshot()).toEqual(before);
    expect(notices).toEqual([]);
  });

  test('without the parser in front, a name after a point would call a function', async () => {
    const { rows } = await observer.query("SELECT x.upper FROM unnest(ARRAY['a']) x");
    expect(rows).toEqual([{ upper: 'A' }]);
  });

  test('what slips past the parser meets a read-only transaction', async () => {
    await observer.query(`CREATE VIEW erasing AS SELECT erase_all() AS a; GRANT SELECT ON erasing TO owner`);
    const before = await snapshot();
    await expect(run('SELECT * FROM erasing')).rejects.toThrow(/read-only transaction/);
    expect(await snapshot()).toEqual(before);
    await observer.query('DROP VIEW erasing');
  });

  test.for(usefulToPostgres)('gives the rows of %s', async ([sql, text]) => {
    expect(await run(sql, { user: sql.includes('pg_class') ? 'owner' : 'reader' })).toBe(text);
  });

  test('explains a statement', async () => {
    expect(await run('EXPLAIN (ANALYZE, FORMAT JSON) SELECT count(*) FROM orders')).toContain('QUERY PLAN');
  });

  test.for(['root', 'filer'])('refuses the mighty role %s for read-only use', async (user) => {
    await expect(run('SELECT 1', { user })).rejects.toThrow(/refused for read-only use/);
    if (user === 'root') expect(await run('SELECT 1', { user, access: 'write' })).toContain('[1]');
  });

  test.for([
    "COPY (SELECT 1) TO '/tmp/hostile-copy'",
    "COPY (SELECT 1) TO PROGRAM 'touch /tmp/hostile-program'",
    "SELECT pg_read_file('/etc/passwd')",
    "SELECT x.pg_read_file FROM unnest(ARRAY['/etc/passwd']) x",
    "SELECT (x || '').pg_read_file FROM unnest(ARRAY['/etc/passwd']) x",
    "SELECT lo_import('/etc/passwd')",
    "SELECT lo_export(1, '/tmp/hostile-export')",
    "CREATE TABLE p AS SELECT pg_read_file('/etc/passwd')",
    "INSERT INTO customers SELECT 5, pg_read_file('/etc/passwd')",
    "INSERT INTO customers VALUES (5, 'x') RETURNING (name).pg_read_file",
    "CREATE VIEW p AS SELECT pg_ls_dir('/')",
    'ALTER SYSTEM SET work_mem = 1',
    'CREATE ROLE intruder SUPERUSER',
    "CREATE FUNCTION f() RETURNS int LANGUAGE sql AS 'SELECT 1'",
    'DO $$ BEGIN PERFORM 1; END $$',
    "SELECT pg_notify('news', 'x')",
    'DROP FUNCTION erase_all',
    'DROP SCHEMA sales CASCADE',
    'DROP TABLE customers, orders CASCADE; SELECT 1',
    'COMMIT',
    'SET default_transaction_read_only = off',
  ])('even a superuser that may write does not get to %s', async (sql) => {
    const before = await snapshot();
    await expect(run(sql, { user: 'root', access: 'write' })).rejects.toMatchObject({ blame: 'statement' });
    expect(await snapshot()).toEqual(before);
    expect(existsSync('/tmp/hostile-copy') || existsSync('/tmp/hostile-program')).toBe(false);
  });

  test('writes with access to write, and says what was done', async () => {
    const write = (sql: string) => run(sql, { access: 'write' });
    expect(await write('CREATE TABLE notes (id serial PRIMARY KEY, body text NOT NULL)')).toBe(
      '(CREATE: done)',
    );
    expect(await write("INSERT INTO notes (body) VALUES ('a'), ('b')")).toBe('(INSERT: 2 rows)');
    expect(await write("INSERT INTO notes (body) VALUES ('c') RETURNING id")).toBe(
      '["id"]\n[3]\n(INSERT: 1 rows)',
    );
    expect(await write('UPDATE notes SET body = upper(body) WHERE id < 3')).toBe('(UPDATE: 2 rows)');
    expect(await write('ALTER TABLE notes ADD COLUMN at timestamptz DEFAULT now()')).toBe('(ALTER: done)');
    expect(await write('WITH d AS (DELETE FROM notes WHERE id = 1 RETURNING id) SELECT * FROM d')).toContain(
      '[1]',
    );
    expect(await write('SELECT id, body FROM notes ORDER BY id')).toBe(
      '["id","body"]\n[2,"B"]\n[3,"c"]\n(2 rows)',
    );
    await expect(write('INSERT INTO notes (body) VALUES (NULL)')).rejects.toThrow(
      /null value in column "body"/,
    );
    expect(await write('DROP TABLE notes')).toBe('(DROP: done)');
  });

  test('a change of more rows than are shown is made whole', async () => {
    const write = (sql: string) => run(sql, { access: 'write' });
    await write('CREATE TABLE many (a int)');
    const text = await write('INSERT INTO many SELECT generate_series(1, 700) RETURNING a');
    expect(text).toContain('(first 500 rows; there are more');
    expect(await write('SELECT count(*) FROM many')).toContain('[700]');
    await write('DROP TABLE many');
  });

  test('reads in a read-only transaction even when it may write', () => {
    expect(driver.check('SELECT 1', 'write')).toMatchObject({ ok: true, writes: false });
    expect(driver.check('SELECT * FROM orders FOR UPDATE', 'write')).toMatchObject({
      ok: true,
      writes: true,
    });
  });

  test.for([
    { rows: 499, shown: 499, closing: '(499 rows)' },
    { rows: 500, shown: 500, closing: '(500 rows)' },
    { rows: 501, shown: 500, closing: '(first 500 rows; there are more' },
    { rows: 10_000_000, shown: 500, closing: '(first 500 rows; there are more' },
  ])('of $rows rows shows $shown', async ({ rows, shown, closing }) => {
    const lines = (await run(`SELECT generate_series(1, ${rows}) AS n`)).split('\n');
    expect(lines).toHaveLength(shown + 2);
    expect(lines.at(-1)).toContain(closing);
  });

  test('keeps to the bytes of a result', async () => {
    const text = await run("SELECT repeat('ä', 1000) FROM generate_series(1, 400)");
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(limits.sql.resultBytes);
    expect(Buffer.byteLength(text)).toBeGreaterThan(limits.sql.resultBytes - 2_500);
    expect(text).toContain('cut at 262144 bytes');
    const one = await run("SELECT repeat('ä', 300000)");
    expect(Buffer.byteLength(one)).toBeLessThanOrEqual(limits.sql.resultBytes);
    expect(one).toMatch(/ää…\n\(first 1 row, cut/);
  });

  test('does not take in a row of many megabytes', async () => {
    await expect(run("SELECT repeat('x', 60000000)")).rejects.toThrow(/too large/);
  });

  test('stops a statement when its time is up', async () => {
    const endless = 'SELECT count(*) FROM generate_series(1, 100000000000) a';
    await expect(run(endless, { statementTimeoutMs: 200 })).rejects.toThrow(/statement timeout/);
    await until(async () => (await othersRunning()).rowCount === 0);
  });

  test('does not wait for a lock for long', async () => {
    await observer.query('BEGIN; LOCK TABLE orders IN ACCESS EXCLUSIVE MODE');
    try {
      await expect(run('SELECT * FROM orders', { lockTimeoutMs: 100 })).rejects.toThrow(/lock timeout/);
    } finally {
      await observer.query('ROLLBACK');
    }
  });

  test('a caller that leaves ends the statement on the server', async () => {
    const leaving = new AbortController();
    const running = run('SELECT count(*) FROM generate_series(1, 100000000000) a', {
      signal: leaving.signal,
    });
    running.catch(() => {});
    await until(async () => (await othersRunning()).rowCount === 1);
    leaving.abort(new Error('gone'));
    await expect(running).rejects.toThrow('gone');
    await until(async () => (await othersRunning()).rowCount === 0);
  });

  test('a change that its caller leaves is not made', async () => {
    const leaving = new AbortController();
    const sql = 'UPDATE orders SET total = (SELECT count(*) FROM generate_series(1, 100000000000))';
    const running = run(sql, { access: 'write', signal: leaving.signal });
    running.catch(() => {});
    const before = await snapshot();
    await until(async () => (await othersRunning()).rowCount === 1);
    leaving.abort(new Error('gone'));
    await expect(running).rejects.toThrow('gone');
    await until(async () => (await othersRunning()).rowCount === 0);
    expect(await snapshot()).toEqual(before);
  });

  test('answers many at once, each its own', async () => {
    const answers = await Promise.all(Array.from({ length: 12 }, (_, n) => run(`SELECT ${n} AS n`)));
    expect(answers).toEqual(Array.from({ length: 12 }, (_, n) => `["n"]\n[${n}]\n(1 row)`));
    await until(async () => (await othersRunning()).rowCount === 0);
  });

  test('tells the mistakes of a statement, and nothing of the connection', async () => {
    await expect(run('SELECT nothing FROM orders')).rejects.toThrow(
      'column "nothing" does not exist (at character 8)',
    );
    await expect(run('SELECT * FROM hidden', { user: 'reader' })).rejects.toThrow(
      'permission denied for table hidden',
    );
    const wrong = driver.run(
      { url: urlOf('reader', 'wrong-secret') },
      { sql: 'SELECT 1', access: 'read', limits: limits.sql, signal: new AbortController().signal },
    );
    await expect(wrong).rejects.toMatchObject({
      blame: 'connection',
      message: 'the database could not be reached',
    });
  });

  test('describes what the role can read', async () => {
    const { signal } = new AbortController();
    const { product, tables, refusal } = await driver.inspect(
      { url: urlOf('reader') },
      { limits: limits.sql, signal },
    );
    expect(product).toMatch(/^PostgreSQL \d+/);
    expect(refusal).toBeUndefined();
    expect(tables).toEqual([
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
      {
        name: 'orders',
        isView: false,
        columns: [
          { name: 'id', type: 'integer' },
          { name: 'customer_id', type: 'integer' },
          { name: 'total', type: 'numeric(10,2)' },
          { name: 'placed_at', type: 'timestamptz' },
        ],
        primaryKey: ['id'],
        foreignKeys: [{ columns: ['customer_id'], table: 'customers', referenced: ['id'] }],
      },
      {
        name: 'sales.secret',
        isView: false,
        columns: [
          { name: 'a', type: 'integer' },
          { name: '"Odd Name"', type: 'varchar(20)' },
        ],
        primaryKey: ['a', '"Odd Name"'],
        foreignKeys: [],
      },
    ]);
    const mighty = await driver.inspect({ url: urlOf('root', 'root') }, { limits: limits.sql, signal });
    expect(mighty.refusal).toMatch(/superuser/);
  });
});
