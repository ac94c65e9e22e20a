import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { systemRandom } from '../../src/ports/random.ts';
import { openSecretsKey } from '../../src/secrets/secrets-key-file.ts';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'service-key-'));
});

afterEach(() => rmSync(folder, { recursive: true }));

describe('the key in DATA_DIR', () => {
  test('is 32 bytes, generated once, readable by its owner only', () => {
    const dataDir = join(folder, 'data');
    const key = openSecretsKey(dataDir, systemRandom);
    expect(key).toHaveLength(32);
    expect(openSecretsKey(dataDir, systemRandom)).toEqual(key);
    expect(readdirSync(dataDir)).toEqual(['secrets.key']);
    expect(statSync(join(dataDir, 'secrets.key')).mode & 0o777).toBe(0o600);
    expect(readFileSync(join(dataDir, 'secrets.key'), 'utf8').trim()).toBe(
      Buffer.from(key).toString('base64'),
    );
  });

  test('is the same for processes that start together', async () => {
    const module = new URL('../../src/secrets/secrets-key-file.ts', import.meta.url).href;
    const random = new URL('../../src/ports/random.ts', import.meta.url).href;
    const script = `
      const { openSecretsKey } = await import(${JSON.stringify(module)});
      const { systemRandom } = await import(${JSON.stringify(random)});
      process.stdout.write(Buffer.from(openSecretsKey(${JSON.stringify(folder)}, systemRandom)).toString('hex'));`;
    const keys = await Promise.all(Array.from({ length: 3 }, () => outputOf(script)));
    expect(new Set(keys).size).toBe(1);
    expect(keys[0]).toHaveLength(64);
  });

  test('that is no key is refused, and kept', () => {
    writeFileSync(join(folder, 'secrets.key'), 'not a key');
    expect(() => openSecretsKey(folder, systemRandom)).toThrow('32 bytes');
    expect(readFileSync(join(folder, 'secrets.key'), 'utf8')).toBe('not a key');
  });
});

async function outputOf(script: string): Promise<string> {
  const child = spawn(process.execPath, ['--input-type=module', '-e', script]);
  let output = '';
  child.stdout.on('data', (chunk) => {
    output += chunk;
  });
  await once(child, 'close');
  return output;
}
