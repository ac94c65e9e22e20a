import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { venvProgram } from '../programs.ts';

/**
 * Runs a validator of the virtual environment on the text; returns what it finds wrong, empty when nothing.
 *
 * @param praise What each line of its output says when nothing is wrong: it also has to look at something.
 */
export function runValidator(program: string, args: readonly string[], text: string, praise: RegExp): string {
  const folder = mkdtempSync(join(tmpdir(), 'service-manifest-'));
  try {
    const path = join(folder, 'manifest.yaml');
    writeFileSync(path, text);
    const { status, stdout, stderr, error } = spawnSync(venvProgram(program) ?? program, [...args, path], {
      encoding: 'utf8',
    });
    if (error !== undefined) throw error;
    const lines = `${stdout}${stderr}`.trim().split('\n');
    const faults = lines.filter((line) => !praise.test(line)).join('\n');
    return status === 0 || faults !== '' ? faults : `${program} ended with ${status}`;
  } finally {
    rmSync(folder, { recursive: true });
  }
}
