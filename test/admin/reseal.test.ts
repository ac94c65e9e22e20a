import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { runAdmin } from '../../src/admin/run-admin.ts';
import { openAdmin } from '../../src/compose/open-admin.ts';
import { resealStore } from '../../src/compose/reseal-store.ts';
import { parseConfig } from '../../src/config.ts';

const newKey = Buffer.alloc(32, 7).toString('base64');
let dataDir: string;

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'service-reseal-'));
});

afterEach(() => rmSync(dataDir, { recursive: true }));

/** Runs a command with `--json` as an operator does, and returns what it prints and its exit status. */
async function admin(args: readonly string[], env: Record<string, string> = {}) {
  const parsed = () => parseConfig({ DATA_DIR: dataDir, ...env });
  const open = async () => openAdmin(parsed().config, parsed().secrets);
  const tasks = { resealSecrets: async (by: string) => resealStore(parsed().config, parsed().secrets, by) };
  const { stdout, stderr, exitCode } = await runAdmin([...args, '--json'], open, tasks);
  return { json: stdout === '' ? undefined : JSON.parse(stdout), stderr, exitCode };
}

const keyFile = () => readFileSync(join(dataDir, 'secrets.key'), 'utf8').trim();

/** A connection whose settings the key in DATA_DIR seals, to a database that is there. */
async function createConnection(): Promise<string> {
  const path = join(dataDir, 'shop.db');
  new DatabaseSync(path).exec('CREATE TABLE orders (id INTEGER) STRICT');
  const organization = await admin(['org', 'create', '--name', 'A']);
  const owner = ['--org', organization.json.id];
  const { json } = await admin([
    'connection',
    'create',
    ...owner,
    '--name',
    'shop',
    '--kind',
    'sqlite',
    '--path',
    path,
  ]);
  expect(json).toMatchObject({ active: true });
  return json.id;
}

describe('secrets reseal', () => {
  test('lets the previous key be dropped', async () => {
    const id = await createConnection();
    const withNewOnly = { SECRETS_KEY: newKey };
    expect((await admin(['connection', 'test', id], withNewOnly)).stderr).toContain('not configured');

    const withBoth = { SECRETS_KEY: newKey, SECRETS_KEY_PREVIOUS: keyFile() };
    expect((await admin(['connection', 'test', id], withBoth)).json).toMatchObject({ ok: true });
    expect((await admin(['secrets', 'reseal'], withBoth)).json).toEqual([
      { kind: 'connections', resealed: 1, current: 0 },
      { kind: 'agents', resealed: 0, current: 0 },
    ]);
    expect((await admin(['connection', 'test', id], withNewOnly)).json).toMatchObject({ ok: true });
    expect((await admin(['secrets', 'reseal'], withNewOnly)).json[0]).toMatchObject({
      resealed: 0,
      current: 1,
    });
  });

  test('fails when something cannot be opened, and says what', async () => {
    const id = await createConnection();
    const { stderr, exitCode } = await admin(['secrets', 'reseal'], { SECRETS_KEY: newKey });
    expect(exitCode).toBe(1);
    expect(stderr).toContain(`connection/${id}/settings`);
  });

  test('is a command of the program', () => {
    const env = { PATH: process.env.PATH, DATA_DIR: dataDir };
    const main = join(import.meta.dirname, '../../src/admin/main.ts');
    const printed = execFileSync(process.execPath, [main, 'secrets', 'reseal', '--json'], {
      env,
      encoding: 'utf8',
    });
    expect(JSON.parse(printed)).toEqual([
      { kind: 'connections', resealed: 0, current: 0 },
      { kind: 'agents', resealed: 0, current: 0 },
    ]);
  });

  test('is not needed before the keys change places: every process can open what either key seals', async () => {
    const id = await createConnection();
    const first = { SECRETS_KEY: keyFile(), SECRETS_KEY_PREVIOUS: newKey };
    const second = { SECRETS_KEY: newKey, SECRETS_KEY_PREVIOUS: keyFile() };
    await admin(['secrets', 'reseal'], second);
    for (const env of [first, second]) {
      expect((await admin(['connection', 'test', id], env)).json).toMatchObject({ ok: true });
    }
  });
});
