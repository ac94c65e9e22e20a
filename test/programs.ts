import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { describe } from 'vitest';

const extraFolders = [
  '/usr/sbin',
  '/usr/local/sbin',
  '/usr/lib/postgresql/17/bin',
  '/usr/lib/postgresql/16/bin',
  '/usr/lib/postgresql/15/bin',
];

/** Returns the full path of the first of `names` that is an executable on this machine, or undefined. */
export function findProgram(...names: readonly string[]): string | undefined {
  const folders = [...(process.env.PATH ?? '').split(delimiter), ...extraFolders];
  for (const name of names) {
    for (const folder of folders) {
      const path = join(folder, name);
      if (isExecutable(path)) return path;
    }
  }
  return undefined;
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/**
 * Describes tests that need a foreign program. Where it is missing, they are skipped with the reason printed,
 * and fail when `REQUIRE_SERVERS=1`.
 */
export function describeWith(
  program: { readonly name: string; readonly path: string | undefined },
  title: string,
  body: () => void,
): void {
  if (program.path !== undefined) {
    describe(title, body);
  } else if (process.env.REQUIRE_SERVERS === '1') {
    describe(title, () => {
      throw new Error(`${program.name} is required (REQUIRE_SERVERS=1) and was not found`);
    });
  } else {
    console.warn(`skipped: ${title}: ${program.name} was not found`);
    describe.skip(`${title} (skipped: ${program.name} was not found)`, body);
  }
}

/**
 * Returns the path of a program of the virtual environment `.venv`, which holds the foreign clients and readers in
 * Python; undefined when it is not there.
 */
export function venvProgram(name: string): string | undefined {
  const path = join(import.meta.dirname, '../.venv/bin', name);
  return isExecutable(path) ? path : undefined;
}

/** Python of the virtual environment. */
export function venvPython(): string | undefined {
  return venvProgram('python');
}
