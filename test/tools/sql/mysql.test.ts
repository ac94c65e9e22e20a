import { globSync } from 'node:fs';
import mysql, { type Connection, type RowDataPacket } from 'mysql2/promise';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { limits } from '../../../src/domain/limits.ts';
import type { SqlAccess } from '../../../src/domain/sql/access.ts';
import { mysqlDriver as driver } from '../../../src/tools/sql/mysql/mysql-driver.ts';
import type { SqlLimits } from '../../../src/tools/sql/sql-driver.ts';
import { type DatabaseServer, mariadbProgram, startMariadb } from '../../database-servers.ts';
import { describeWith } from '../../programs.ts';
import { hostileToMysql, usefulToMysql } from './mysql-corpus.ts';
import { until } from './until.ts';

const setUp = [
  'CREATE DATABASE shop',
  'USE shop',
  'CREATE TABLE customers (id int PRIMARY KEY, name varchar(100) NOT NULL)',
  'CREATE TABLE orders (id int PRIMARY KEY, customer_id int, total decimal(10, 2), FOREIGN KEY (customer_id) REFERENCES customers (id))',
  'CREATE TABLE odd (`update` int)',
  'CREATE SEQUENCE numbers',
  String.raw`INSERT INTO customers VALUES (1, 'Ann'), (2, 'Bo "B"\nx')`,
  'INSERT INTO orders VALUES (1, 1, 10.5), (2, 2, 20)',
  'INSERT INTO odd VALUES (1)',
  'CREATE FUNCTION erase_all() RETURNS int MODIFIES SQL DATA BEGIN DELETE FROM orders; RETURN 1; END',
  'CREATE PROCEDURE erase() DELETE FROM orders',
  "CREATE USER owner@'%' IDENTIFIED BY 'pass-owner'",
  "CREATE USER reader@'%' IDENTIFIED BY 'pass-reader'",
  "CREATE USER filer@'%' IDENTIFIED BY 'pass-filer'",
  "GRANT ALL ON shop.* TO owner@'%'",
  "GRANT SELECT ON shop.customers TO reader@'%'",
  "GRANT SELECT ON shop.odd TO reader@'%'",
  "GRANT SELECT ON shop.orders TO reader@'%'",
  "GRANT FILE, SELECT ON *.* TO filer@'%'",
];

/** Everything that a statement could have left behind. */
const snapshotQuestions = [
  'SELECT * FROM shop.orders ORDER BY id',
  'SELECT * FROM shop.customers ORDER BY id',
  'SELECT next_not_cached_value FROM shop.numbers',
  "SELECT TABLE_SCHEMA, TABLE_NAME, CREATE_TIME FROM information_schema.TABLES WHERE TABLE_TYPE <> 'SYSTEM VIEW' ORDER BY 1, 2",
  'SELECT ROUTINE_NAME FROM information_schema.ROUTINES ORDER BY 1',
  'SELECT TRIGGER_NAME FROM information_schema.TRIGGERS ORDER BY 1',
  'SELECT EVENT_NAME FROM information_schema.EVENTS ORDER BY 1',
  'SELECT User, Host, Password FROM mysql.user ORDER BY 1, 2',
  'SHOW GLOBAL VARIABLES LIKE "general_log%"',
  'SELECT IS_USED_LOCK("a") AS held',
];

describeWith(mariadbProgram, 'MariaDB', () => {
  let server: DatabaseServer;
  let observer: Connection;

  beforeAll(async () => {
    server = await startMariadb();
    observer = await mysql.createConnection(urlOf('root', 'root', ''));
    for (const statement of setUp) await observer.query(statement);
  });

  afterAll(async () => {
    await observer?.end();
    await server?.stop();
  });

  function urlOf(user: string, password = `pass-${user}`, database = 'shop'): string {
    return `mysql://${user}:${password}@127.0.0.1:${server.port}/${database}`;
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

  async function rows(sql: string): Promise<RowDataPacket[]> {
    return (await observer.query<RowDataPacket[]>(sql))[0];
  }

  async function snapshot(): Promise<unknown> {
    const answers: unknown[] = [globSync('/tmp/hostile-*')];
    for (const question of snapshotQuestions) answers.push(await rows(question));
    return answers;
  }

  const ownersStatements = async () =>
    (await rows("SELECT ID FROM information_schema.PROCESSLIST WHERE USER = 'owner' AND COMMAND <> 'Sleep'"))
      .length;

  test('the corpus is large enough', () => {
    expect(new Set(hostileToMysql).size).toBeGreaterThanOrEqual(120);
  });

  test.for(hostileToMysql)('refuses, and nothing changes: %s', async (sql) => {
    const before = await snapshot();
    await expect(run(sql)).rejects.toMatchObject({ blame: 'statement' });
    expect(await snapshot()).toEqual(before);
  });

  test('what slips past the check meets a read-only transaction', async () => {
    await observer.query('CREATE VIEW erasing AS SELECT erase_all() AS a');
    const before = await snapshot();
    await expect(run('SELECT * FROM erasing')).rejects.toThrow(/READ ONLY transaction/);
    expect(await snapshot()).toEqual(before);
    await observer.query('DROP VIEW erasing');
  });

  test.for(usefulToMysql)('gives the rows of %s', async ([sql, text]) => {
    expect(await run(sql, { user: 'reader' })).toBe(text);
  });

  test('explains a statement', async () => {
    expect(await run('EXPLAIN SELECT count(*) FROM orders')).toContain('select_type');
    expect(await run('SHOW CREATE TABLE odd')).toContain('CREATE TABLE');
  });

  test.for(['root', 'filer'])('refuses the mighty account %s for read-only use', async (user) => {
    await expect(run('SELECT 1', { user })).rejects.toThrow(/refused for read-only use/);
    if (user === 'root') expect(await run('SELECT 1', { user, access: 'write' })).toContain('[1]');
  });

  test.for([
    "SELECT * FROM orders INTO OUTFILE '/tmp/hostile-outfile'",
    "SELECT LOAD_FILE('/etc/passwd')",
    "INSERT INTO customers SELECT 9, LOAD_FILE('/etc/passwd')",
    "LOAD DATA INFILE '/etc/passwd' INTO TABLE customers",
    "CREATE TABLE p (a text) ENGINE=CONNECT TABLE_TYPE=DOS FILE_NAME='/etc/passwd'",
    "CREATE TABLE p (a int) DATA DIRECTORY='/tmp'",
    'CREATE TABLE p (a int) ENGINE = CSV',
    "CREATE TABLE p (a int) ENGINE=FEDERATED CONNECTION='mysql://a@b/c/d'",
    "CREATE FUNCTION f RETURNS string SONAME 'x.so'",
    'CREATE USER intruder',
    'DROP USER owner',
    'DROP DATABASE shop',
    "SET GLOBAL general_log_file = '/tmp/hostile.log'",
    'UPDATE orders SET total = SLEEP(60)',
    "SELECT GET_LOCK('a', 1)",
    'INSERT INTO customers VALUES (9, "x"); DROP TABLE orders',
    'GRANT ALL ON *.* TO owner',
    "EXECUTE IMMEDIATE 'DROP TABLE orders'",
    'CALL erase()',
    'INSTALL SONAME "x"',
    'COMMIT',
  ])('even a superuser that may write does not get to %s', async (sql) => {
    const before = await snapshot();
    await expect(run(sql, { user: 'root', access: 'write' })).rejects.toMatchObject({ blame: 'statement' });
    expect(await snapshot()).toEqual(before);
  });

  test('writes with access to write, and says what was done', async () => {
    const write = (sql: string) => run(sql, { access: 'write' });
    await write(
      'CREATE TABLE notes (id int AUTO_INCREMENT PRIMARY KEY, body varchar(20) NOT NULL, KEY b (body)) ENGINE=InnoDB',
    );
    expect(await write("INSERT INTO notes (body) VALUES ('a'), ('b')")).toBe('(done: 2 rows affected)');
    expect(await write("INSERT INTO notes (body) VALUES ('c') RETURNING id")).toBe('["id"]\n[3]\n(1 row)');
    expect(await write('UPDATE notes SET body = UPPER(body) WHERE id < 3')).toBe('(done: 2 rows affected)');
    await write('ALTER TABLE notes ADD COLUMN at datetime DEFAULT CURRENT_TIMESTAMP()');
    await write('DELETE FROM notes WHERE id = 1');
    expect(await write('SELECT id, body FROM notes ORDER BY id')).toBe(
      '["id","body"]\n[2,"B"]\n[3,"c"]\n(2 rows)',
    );
    await expect(write('INSERT INTO notes (body) VALUES (NULL)')).rejects.toThrow(
      /Column 'body' cannot be null/,
    );
    await write('DROP TABLE notes');
  });

  test('a change of more rows than are shown is made whole', async () => {
    const write = (sql: string) => run(sql, { access: 'write' });
    await write('CREATE TABLE many (a int)');
    const text = await write('INSERT INTO many SELECT seq FROM seq_1_to_700 RETURNING a');
    expect(text).toContain('(first 500 rows; there are more');
    expect(await write('SELECT count(*) FROM many')).toContain('[700]');
    await write('DROP TABLE many');
  });

  test.for([
    { rows: 499, shown: 499, closing: '(499 rows)' },
    { rows: 500, shown: 500, closing: '(500 rows)' },
    { rows: 501, shown: 500, closing: '(first 500 rows; there are more' },
    { rows: 10_000_000, shown: 500, closing: '(first 500 rows; there are more' },
  ])('of $rows rows shows $shown', async ({ rows: count, shown, closing }) => {
    const lines = (await run(`SELECT seq FROM seq_1_to_${count}`)).split('\n');
    expect(lines).toHaveLength(shown + 2);
    expect(lines.at(-1)).toContain(closing);
  });

  test('a limit of the statement that is larger does not undo that of the service', async () => {
    const text = await run('SELECT seq FROM seq_1_to_1000000 LIMIT 1000000');
    expect(text).toContain('(first 500 rows; there are more');
    await until(async () => (await ownersStatements()) === 0);
  });

  test('keeps to the bytes of a result', async () => {
    const text = await run("SELECT REPEAT('ä', 1000) AS a FROM seq_1_to_400");
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(limits.sql.resultBytes);
    expect(Buffer.byteLength(text)).toBeGreaterThan(limits.sql.resultBytes - 2_500);
    expect(text).toContain('cut at 262144 bytes');
  });

  test('does not take in rows of many megabytes', async () => {
    const wide = "SELECT REPEAT('x', 16000000) AS a, REPEAT('y', 16000000) AS b, REPEAT('z', 16000000) AS c";
    await expect(run(wide)).rejects.toThrow(/too large/);
  });

  test('stops a statement when its time is up', async () => {
    const endless = 'SELECT COUNT(*) FROM seq_1_to_1000000000 a JOIN seq_1_to_1000000000 b ON a.seq <> b.seq';
    await expect(run(endless, { statementTimeoutMs: 200 })).rejects.toThrow(/max_statement_time/);
    await until(async () => (await ownersStatements()) === 0);
  });

  test('a caller that leaves ends the statement on the server', async () => {
    const leaving = new AbortController();
    const endless = 'SELECT COUNT(*) FROM seq_1_to_1000000000 a JOIN seq_1_to_1000000000 b ON a.seq <> b.seq';
    const running = run(endless, { signal: leaving.signal });
    running.catch(() => {});
    await until(async () => (await ownersStatements()) === 1);
    leaving.abort(new Error('gone'));
    await expect(running).rejects.toThrow('gone');
    await until(async () => (await ownersStatements()) === 0);
  });

  test('does not wait for a lock for long', async () => {
    await observer.query('LOCK TABLES orders WRITE');
    try {
      await expect(run('SELECT * FROM orders', { lockTimeoutMs: 1_000 })).rejects.toThrow(
        /[Ll]ock wait timeout/,
      );
    } finally {
      await observer.query('UNLOCK TABLES');
    }
  });

  test('answers many at once, each its own', async () => {
    const answers = await Promise.all(Array.from({ length: 12 }, (_, n) => run(`SELECT ${n} AS n`)));
    expect(answers).toEqual(Array.from({ length: 12 }, (_, n) => `["n"]\n[${n}]\n(1 row)`));
  });

  test('takes nothing of a URL that would let more in', async () => {
    const url = `${urlOf('owner')}?multipleStatements=true&flags=LOCAL_FILES`;
    const request = { access: 'read', limits: limits.sql, signal: new AbortController().signal } as const;
    expect(await driver.run({ url }, { sql: 'SELECT 1 AS a', ...request })).toContain('[1]');
    await expect(
      driver.run({ url: `${urlOf('owner')}?ssl-mode=x` }, { sql: 'SELECT 1', ...request }),
    ).rejects.toThrow(/ssl-mode must be one of/);
  });

  test('tells the mistakes of a statement, and nothing of the connection', async () => {
    await expect(run('SELECT nothing FROM orders')).rejects.toThrow(/Unknown column 'nothing'/);
    const wrong = driver.run(
      { url: urlOf('reader', 'wrong-secret') },
      { sql: 'SELECT 1', access: 'read', limits: limits.sql, signal: new AbortController().signal },
    );
    await expect(wrong).rejects.toMatchObject({
      blame: 'connection',
      message: 'the database could not be reached',
    });
  });

  test('describes what the account can read', async () => {
    const { signal } = new AbortController();
    const { product, tables, refusal } = await driver.inspect(
      { url: urlOf('reader') },
      { limits: limits.sql, signal },
    );
    expect(product).toMatch(/^MariaDB 1\d\./);
    expect(refusal).toBeUndefined();
    expect(tables.map(({ name }) => name)).toEqual(['customers', 'odd', 'orders']);
    expect(tables[2]).toEqual({
      name: 'orders',
      isView: false,
      columns: [
        { name: 'id', type: 'int(11)' },
        { name: 'customer_id', type: 'int(11)' },
        { name: 'total', type: 'decimal(10,2)' },
      ],
      primaryKey: ['id'],
      foreignKeys: [{ columns: ['customer_id'], table: 'customers', referenced: ['id'] }],
    });
    const mighty = await driver.inspect({ url: urlOf('root', 'root') }, { limits: limits.sql, signal });
    expect(mighty.refusal).toMatch(/ALL PRIVILEGES/);
  });
});
