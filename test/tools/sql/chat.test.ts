import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Scope } from '../../../src/domain/scopes.ts';
import { systemRandom } from '../../../src/ports/random.ts';
import type { Store } from '../../../src/ports/store.ts';
import { createAesGcmSealer } from '../../../src/secrets/aes-gcm-sealer.ts';
import { sealConnectionSettings } from '../../../src/services/accounts/connection-settings.ts';
import { openSqliteStore } from '../../../src/storage/sqlite/open-sqlite-store.ts';
import { seed, startMs, token } from '../../service/seed.ts';
import { type RunningService, startService } from '../../service/start-service.ts';

const secretsKey = new Uint8Array(32).fill(5);

let folder: string;
let store: Store;
let service: RunningService;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sql-chat-'));
  const database = new DatabaseSync(join(folder, 'shop.db'));
  database.exec(
    "CREATE TABLE fruit (name TEXT, price REAL); INSERT INTO fruit VALUES ('apple', 1.5), ('pear', 2)",
  );
  database.close();
  store = openSqliteStore({ path: ':memory:' });
});

afterEach(async () => {
  await service.stop();
  rmSync(folder, { recursive: true, force: true });
});

async function start(
  scopes: readonly Scope[],
  changed: Readonly<Record<string, unknown>> = {},
): Promise<void> {
  await seed(store, { apiKey: { scopes } });
  const id = 'connection-1';
  const settings = { kind: 'sqlite', path: join(folder, 'shop.db') } as const;
  await store.connections.create({
    id,
    organizationId: 'org-1',
    actorId: 'user-1',
    name: 'shop',
    kind: 'sqlite',
    address: settings.path,
    sealedSettings: sealConnectionSettings(createAesGcmSealer([secretsKey], systemRandom), id, settings),
    active: true,
    testedAtMs: startMs,
    createdAtMs: startMs,
    updatedAtMs: startMs,
    ...changed,
  });
  const key = Buffer.from(secretsKey).toString('base64');
  service = await startService({ SECRETS_KEY: key }, { store, clock: { now: () => startMs } });
}

async function chat(sql: string, more: object = {}) {
  const response = await fetch(`${service.url}/v1/chat`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ message: `/tool run_sql ${JSON.stringify({ sql })}`, ...more }),
  });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

const insert = "INSERT INTO fruit VALUES ('fig', 3)";
const names = 'SELECT name, price FROM fruit ORDER BY name';

describe('run_sql in a chat', () => {
  test('is called and its rows are in the reply', async () => {
    await start(['chat', 'sql.read']);
    const { status, body } = await chat(names);
    expect(status).toBe(200);
    expect(body.tool_calls).toEqual([{ name: 'run_sql', args: { sql: names } }]);
    expect(body.content).toContain('["name","price"]\n["apple",1.5]\n["pear",2]\n(2 rows)');
  });

  test('changes nothing for a key that may read, whatever permission it asks for', async () => {
    await start(['chat', 'sql.read']);
    const { body } = await chat(insert, { permission: 'write' });
    expect(body.tool_calls).toHaveLength(1);
    expect(body.content).toContain('INSERT is refused: access is read-only');
    expect((await chat('SELECT count(*) AS n FROM fruit')).body.content).toContain('[2]');
  });

  test('changes data for a key that may write, unless the call asks to read', async () => {
    await start(['chat', 'sql.write']);
    expect((await chat(insert, { permission: 'read' })).body.content).toContain('access is read-only');
    expect((await chat(insert)).body.content).toContain('(done: 1 rows changed)');
    expect((await chat('SELECT count(*) AS n FROM fruit')).body.content).toContain('[3]');
  });

  test.for<[string, readonly Scope[], object]>([
    ['the key has no scope for it', ['chat', 'tracker.read'], {}],
    ['the connection is not active', ['chat', 'sql.read'], { active: false }],
    ["the connection is another actor's", ['chat', 'sql.read'], { actorId: 'user-2' }],
    [
      "the connection is another organization's",
      ['chat', 'sql.read'],
      { organizationId: 'org-2', actorId: null },
    ],
  ])('is not there when %s', async ([, scopes, changed]) => {
    await start(scopes, { ...changed });
    const { status, body } = await chat(names);
    expect(status).toBe(200);
    expect(body.tool_calls).toEqual([]);
    expect(body.content).toContain('not offered');
  });

  test("is there by the organization's own connection", async () => {
    await start(['chat', 'sql.read'], { actorId: null });
    expect((await chat(names)).body.tool_calls).toHaveLength(1);
  });

  test('a database that cannot be opened is extension_config_error, which tells no path', async () => {
    await start(['chat', 'sql.read']);
    rmSync(join(folder, 'shop.db'));
    const { status, body } = await chat(names);
    expect(status).toBe(500);
    expect(body.type).toMatch(/\/extension_config_error$/);
    expect(JSON.stringify(body)).not.toContain('shop.db');
  });

  test('settings sealed with a lost key are extension_config_error', async () => {
    await start(['chat', 'sql.read'], { sealedSettings: 'v1.lost' });
    const { body } = await chat(names);
    expect(body.type).toMatch(/\/extension_config_error$/);
  });
});
