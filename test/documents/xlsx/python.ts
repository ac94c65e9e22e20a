import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { findProgram } from '../../programs.ts';

/** Returns a Python that has openpyxl: the project's own, else the machine's. */
export function pythonWithOpenpyxl(): string | undefined {
  const own = resolve('.venv/bin/python');
  return [own, findProgram('python3')].find((python) => {
    if (python === undefined || !existsSync(python)) return false;
    try {
      execFileSync(python, ['-c', 'import openpyxl'], { stdio: 'ignore' });
      return true;
    } catch {
      return false;
    }
  });
}
