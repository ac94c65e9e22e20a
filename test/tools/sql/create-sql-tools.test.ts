import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { inspect } from 'node:util';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { ChatPermission, JsonObject, TurnPrincipal } from '../../../src/domain/chat.ts';
import type { ConnectionSettings } from '../../../src/domain/connection.ts';
import { limits } from '../../../src/domain/limits.ts';
import type { Scope } from '../../../src/domain/scopes.ts';
import { parseToolArguments } from '../../../src/domain/tool-arguments.ts';
import { type Tool, ToolFailure } from '../../../src/ports/tool.ts';
import type { OpenedConnection, ToolConnections } from '../../../src/ports/tool-connections.ts';
import { createSqlTools } from '../../../src/tools/sql/create-sql-tools.ts';
import { sqlConnectionTester } from '../../../src/tools/sql/sql-connection-tester.ts';

const signal = new AbortController().signal;
/** Nothing listens there. */
const nowhere = '127.0.0.1:1';

let folder: string;
let nowMs: number;
let offered: OpenedConnection[];
let reports: unknown[];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sql-tools-'));
  nowMs = 1_000_000;
  offered = [];
  reports = [];
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

function database(name: string, sql: string): ConnectionSettings {
  const path = join(folder, `${name}.db`);
  const created = new DatabaseSync(path);
  created.exec(sql);
  created.close();
  return { kind: 'sqlite', path };
}

function offer(name: string, settings: ConnectionSettings, id = name): OpenedConnection {
  const opened = {
    connection: {
      id,
      organizationId: 'org-1',
      actorId: null,
      name,
      kind: settings.kind,
      address: 'somewhere',
      active: true,
      testedAtMs: 1,
      createdAtMs: 1,
      updatedAtMs: 1,
    },
    settings,
  };
  offered.push(opened);
  return opened;
}

function provider() {
  const connections: ToolConnections = { activeOf: async () => offered as never };
  const report = (message: string, cause: unknown) => reports.push([message, cause]);
  return createSqlTools({ connections, clock: { now: () => nowMs }, report });
}

function principal(scopes: readonly Scope[]): TurnPrincipal {
  return { apiKey: { id: 'key-1', scopes, models: [], tokenBudget: null } } as unknown as TurnPrincipal;
}

async function toolOf(
  scopes: readonly Scope[] = ['sql.read'],
  sqlPermission: ChatPermission = 'auto',
  tools = provider(),
): Promise<Tool> {
  const [tool] = await tools.toolsFor({
    principal: principal(scopes),
    sqlPermission,
    readOnlyTools: false,
    signal,
  });
  if (tool === undefined) throw new Error('no tool is offered');
  return tool;
}

function call(tool: Tool, args: JsonObject): Promise<string> {
  return tool.run(args, { principal: principal([]), callId: 'call', signal });
}

describe('run_sql', () => {
  test.for<[readonly Scope[], ChatPermission, 'read' | 'write' | 'none']>([
    [['chat'], 'auto', 'none'],
    [['chat', 'tracker.write'], 'write', 'none'],
    [['sql.read'], 'auto', 'read'],
    [['sql.read'], 'write', 'read'],
    [['sql.read'], 'read', 'read'],
    [['sql.write'], 'auto', 'write'],
    [['sql.write'], 'write', 'write'],
    [['sql.write'], 'read', 'read'],
    [['sql.read', 'sql.write'], 'read', 'read'],
    [['sql.read', 'sql.write'], 'auto', 'write'],
  ])('of a key with %j, asked with permission %s, may %s', async ([scopes, sqlPermission, may]) => {
    offer('shop', database('shop', 'CREATE TABLE t (a)'));
    const tools = await provider().toolsFor({
      principal: principal(scopes),
      sqlPermission,
      readOnlyTools: false,
      signal,
    });
    expect(tools).toHaveLength(may === 'none' ? 0 : 1);
    const [tool] = tools;
    if (tool === undefined) return;
    const insert = { sql: 'INSERT INTO t VALUES (1)' };
    expect(tool.writes?.(insert)).toBe(may === 'write');
    expect(tool.writes?.({ sql: 'SELECT 1' })).toBe(false);
    if (may === 'write') expect(await call(tool, insert)).toBe('(done: 1 rows changed)');
    else await expect(call(tool, insert)).rejects.toThrow('INSERT is refused: access is read-only');
  });

  test('is not offered without a connection', async () => {
    expect(
      await provider().toolsFor({
        principal: principal(['sql.read']),
        sqlPermission: 'auto',
        readOnlyTools: false,
        signal,
      }),
    ).toEqual([]);
  });

  test('tells the model what the databases hold, and takes the first unless told', async () => {
    offer('shop', database('shop', 'CREATE TABLE items (id INTEGER PRIMARY KEY, name TEXT)'));
    offer('shop', database('other', 'CREATE TABLE parts (item INT REFERENCES items (id))'), 'second');
    const tool = await toolOf();
    expect(tool.name).toBe('run_sql');
    expect(tool.description).toMatch(/"shop": SQLite 3\.[\d.]+\nitems\(id integer pk, name text\)/);
    expect(tool.description).toMatch(/"shop \(2\)": SQLite 3\.[\d.]+\nparts\(item int -> items\.id\)/);
    const tables = "SELECT name FROM sqlite_schema WHERE type = 'table'";
    expect(await call(tool, { sql: tables })).toContain('"items"');
    expect(await call(tool, { sql: tables, connection: 'shop (2)' })).toContain('"parts"');
    expect(tool.label?.({ sql: 'SELECT 1', connection: 'shop (2)' })).toBe('SQL on shop (2)');
  });

  test.for<[unknown, string]>([
    [{}, 'arguments.sql is required'],
    [{ sql: 1 }, 'arguments.sql must be of type string'],
    [{ sql: '' }, 'the length of arguments.sql must be at least 1'],
    [{ sql: 'x'.repeat(limits.sql.statementChars + 1) }, `must be at most ${limits.sql.statementChars}`],
    [{ sql: 'SELECT 1', connection: 'elsewhere' }, 'must be one of ["shop"]'],
    [{ sql: 'SELECT 1', url: 'postgres://10.0.0.1' }, 'arguments.url is not known'],
  ])('does not take the arguments %j', async ([args, problem]) => {
    offer('shop', database('shop', ''));
    const { parameters } = await toolOf();
    const parsed = parseToolArguments(JSON.stringify(args), parameters);
    expect(parsed.ok ? '' : parsed.problem).toContain(problem);
  });

  test('refuses a NUL character, at which a parser would stop', async () => {
    offer('shop', database('shop', 'CREATE TABLE t (a)'));
    await expect(call(await toolOf(), { sql: 'SELECT 1\0; DELETE FROM t' })).rejects.toThrow(ToolFailure);
  });

  test('sees a new table after a minute, or when the connection was tested again', async () => {
    const opened = offer('shop', database('shop', 'CREATE TABLE first (a)'));
    const tools = provider();
    const describeNow = async () => (await toolOf(['sql.read'], 'auto', tools)).description;
    expect(await describeNow()).toContain('first(a)');
    const writer = new DatabaseSync(join(folder, 'shop.db'));
    writer.exec('CREATE TABLE second (a)');
    nowMs += limits.sql.schemaAgeMs - 1;
    expect(await describeNow()).not.toContain('second(a)');
    nowMs += 1;
    expect(await describeNow()).toContain('second(a)');
    writer.exec('CREATE TABLE third (a)');
    writer.close();
    offered = [{ ...opened, connection: { ...opened.connection, updatedAtMs: 2 } }];
    expect(await describeNow()).toContain('third(a)');
  });

  test('keeps the description of large databases short', async () => {
    const columns = Array.from({ length: 40 }, (_, n) => `column_number_${n} TEXT`).join(', ');
    const tables = Array.from({ length: 300 }, (_, n) => `CREATE TABLE table_number_${n} (${columns});`);
    offer('large', database('large', tables.join('')));
    const { description } = await toolOf();
    expect(description.length).toBeLessThan(limits.sql.schemaChars + 1_000);
    expect(description).toContain('columns not shown: ');
  });

  test.for([`postgres://u:topsecret@${nowhere}/d`, `mysql://u:topsecret@${nowhere}/d`])(
    'without any database that answers, the tools cannot be set up: %s',
    async (url) => {
      const kind = url.startsWith('mysql') ? 'mysql' : 'postgres';
      offer('down', { kind, url });
      await expect(toolOf()).rejects.toMatchObject({ slug: 'extension_config_error' });
      expect(reports).toHaveLength(1);
      expect(inspect(reports, { depth: 20, showHidden: true })).not.toContain('topsecret');
      const result = await sqlConnectionTester.test(offered[0]?.connection as never, { kind, url });
      expect(result).toEqual({
        ok: false,
        detail: expect.stringMatching(/^the database could not be reached: .*ECONNREFUSED/),
      });
      expect(JSON.stringify(result)).not.toContain('topsecret');
    },
  );

  test('one database that does not answer leaves the others usable', async () => {
    offer('down', { kind: 'postgres', url: `postgres://u:topsecret@${nowhere}/d` });
    offer('shop', database('shop', 'CREATE TABLE t (a)'));
    const tool = await toolOf();
    expect(tool.description).toContain('"down": PostgreSQL, cannot be reached now');
    expect(await call(tool, { sql: 'SELECT 1 AS a', connection: 'shop' })).toContain('[1]');
    const failing = call(tool, { sql: 'SELECT 1', connection: 'down' });
    await expect(failing).rejects.toThrow('the database could not be reached');
    expect(inspect(reports, { depth: 20, showHidden: true })).not.toContain('topsecret');
  });

  test('lets a few statements at a time onto a connection, and the rest wait their turn', async () => {
    offer('shop', database('shop', ''));
    const tool = await toolOf();
    const answers = await Promise.all(
      Array.from({ length: 9 }, (_, n) => call(tool, { sql: `SELECT ${n} AS n` })),
    );
    expect(answers).toEqual(Array.from({ length: 9 }, (_, n) => `["n"]\n[${n}]\n(1 row)`));
  });
});

describe('the tester of connections', () => {
  test('says what it found', async () => {
    const settings = database('shop', 'CREATE TABLE t (a)');
    const { connection } = offer('shop', settings);
    expect(await sqlConnectionTester.test(connection as never, settings)).toEqual({
      ok: true,
      detail: expect.stringMatching(/^SQLite 3\.[\d.]+, 1 table and views to read$/),
    });
    const missing = { kind: 'sqlite', path: join(folder, 'none.db') } as const;
    expect(await sqlConnectionTester.test(connection as never, missing)).toEqual({
      ok: false,
      detail: 'the database could not be opened: unable to open database file',
    });
  });
});
