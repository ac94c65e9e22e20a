import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { hashApiKeyToken } from '../../src/domain/api-key-token.ts';
import { openSqliteStore } from '../../src/storage/sqlite/open-sqlite-store.ts';

const root = join(import.meta.dirname, '..', '..');
let dataDir: string;

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'service-admin-'));
});

afterEach(() => rmSync(dataDir, { recursive: true }));

/** Runs the command line as an operator does. */
function admin(args: readonly string[], env: Record<string, string> = {}) {
  return new Promise<{ stdout: string; stderr: string; code: number }>((resolve) => {
    execFile(
      process.execPath,
      [join(root, 'src/admin/main.ts'), ...args],
      { env: { PATH: process.env.PATH, DATA_DIR: dataDir, ...env } },
      (error, stdout, stderr) => resolve({ stdout, stderr, code: Number(error?.code ?? 0) }),
    );
  });
}

async function json(args: readonly string[]) {
  const { stdout, stderr, code } = await admin([...args, '--json']);
  expect({ stderr, code }).toEqual({ stderr: '', code: 0 });
  return JSON.parse(stdout);
}

describe('npm run admin', () => {
  test('works beside a process that has the store open, whose very next look-up sees the change', async () => {
    const store = openSqliteStore({ path: join(dataDir, 'service.db') });
    const { id: org } = await json(['org', 'create', '--name', 'A']);
    const { id: user } = await json(['user', 'create', '--org', org, '--email', 'a@b.c', '--name', 'A']);
    const { id, key } = await json(['key', 'create', '--org', org, '--actor', user, '--scopes', 'chat']);
    const find = () => store.apiKeys.findPrincipal(hashApiKeyToken(key));
    expect(await find()).toMatchObject({
      apiKey: { id, revokedAtMs: null },
      organization: { suspended: false },
    });
    await json(['org', 'update', org, '--suspended']);
    expect(await find()).toMatchObject({ organization: { suspended: true } });
    await json(['key', 'rotate', id]);
    expect(await find()).toBeUndefined();
    await store.close();
  });

  test('exits with 2 on wrong usage and with 1 on a failure, a wrong configuration among them', async () => {
    expect((await admin(['org', 'destroy'])).code).toBe(2);
    expect((await admin(['org', 'show', 'none'])).code).toBe(1);
    const wrong = await admin(['org', 'list'], { PORT: 'x', SECRETS_KEY: 'y' });
    expect(wrong).toMatchObject({ stdout: '', code: 1 });
    expect(wrong.stderr).toContain('PORT');
    expect(wrong.stderr).toContain('SECRETS_KEY');
    expect((await admin(['--help'], { PORT: 'x' })).code).toBe(0);
  });
});
