import {
  closeSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import type { Random } from '../ports/random.ts';

/**
 * Returns the key that is kept in the file `secrets.key` of `dataDir`, 32 bytes in base64, generating it when there is
 * none. The file is readable by its owner only; of processes that start together, all get the same key.
 *
 * @throws Error when the file cannot be read or holds no key.
 */
export function openSecretsKey(dataDir: string, random: Random): Uint8Array {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const path = join(dataDir, 'secrets.key');
  const present = readIfPresent(path);
  if (present !== undefined) return parseKey(present, path);
  const draft = `${path}.${Buffer.from(random.bytes(6)).toString('hex')}`;
  const file = openSync(draft, 'wx', 0o600);
  try {
    writeFileSync(file, `${Buffer.from(random.bytes(32)).toString('base64')}\n`);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  try {
    // A link appears whole or not at all, and the first one wins.
    linkSync(draft, path);
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error;
  } finally {
    unlinkSync(draft);
  }
  return parseKey(readFileSync(path, 'utf8'), path);
}

function readIfPresent(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined;
    throw error;
  }
}

function parseKey(text: string, path: string): Uint8Array {
  const key = new Uint8Array(Buffer.from(text.trim(), 'base64'));
  if (key.length !== 32) throw new Error(`${path} must hold 32 bytes in base64`);
  return key;
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
