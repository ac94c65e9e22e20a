import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openAdminStore, openServingStore } from '../../../src/compose/store.ts';
import { parseConfig } from '../../../src/config.ts';
import { takeOnlyPlace } from '../../../src/storage/sqlite/only-place.ts';

const module = join(import.meta.dirname, '../../../src/storage/sqlite/only-place.ts');
let folder: string;
let path: string;
let child: ChildProcess | undefined;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'service-place-'));
  path = join(folder, 'service.db.lock');
});

afterEach(() => {
  child?.kill('SIGKILL');
  child = undefined;
  rmSync(folder, { recursive: true });
});

/** A process that takes the place and stays. */
async function startOther(): Promise<ChildProcess> {
  const code = `
    import { takeOnlyPlace } from ${JSON.stringify(module)};
    takeOnlyPlace(${JSON.stringify(path)});
    console.log('taken');
    setInterval(() => {}, 60_000);`;
  const args = ['--input-type=module', '-e', code];
  const other = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  child = other;
  await once(other.stdout, 'data');
  return other;
}

describe('the place of the only process', () => {
  test('is one process at a time', async () => {
    await startOther();
    expect(() => takeOnlyPlace(path, 0)).toThrow('another process serves from the same DATA_DIR');
  });

  test('stays taken when its own process asks for it once more', () => {
    const place = takeOnlyPlace(path);
    expect(() => takeOnlyPlace(path, 0)).toThrow('another process serves from the same DATA_DIR');
    const code = `
      import { takeOnlyPlace } from ${JSON.stringify(module)};
      takeOnlyPlace(${JSON.stringify(path)}, 0);`;
    const other = spawnSync(process.execPath, ['--input-type=module', '-e', code], { encoding: 'utf8' });
    expect(other.stderr).toContain('another process serves from the same DATA_DIR');
    expect(other.status).toBe(1);
    place.leave();
  });

  test('is free again at once when its process was killed', async () => {
    const other = await startOther();
    other.kill('SIGKILL');
    await once(other, 'exit');
    takeOnlyPlace(path, 0).leave();
  });

  test('is free again when it was left', () => {
    takeOnlyPlace(path).leave();
    takeOnlyPlace(path, 0).leave();
  });

  test('is what a serving process takes on the embedded store without Redis, and an administrator does not', async () => {
    const { config, secrets } = parseConfig({ DATA_DIR: folder });
    const serving = await openServingStore(config, secrets);
    expect(() => takeOnlyPlace(path, 0)).toThrow('REDIS_URL');
    await (await openAdminStore(config, secrets)).close();
    await serving.close();

    const counting = parseConfig({ DATA_DIR: folder, REDIS_URL: 'redis://127.0.0.1' });
    const one = await openServingStore(counting.config, counting.secrets);
    const two = await openServingStore(counting.config, counting.secrets);
    await Promise.all([one.close(), two.close()]);
  });
});
