import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readFile, root } from './deployment-files.ts';
import type { Image } from './dockerfile.ts';

const install = 'npm ci --omit=dev';

/**
 * Puts into a folder what the image has: of the packages that are installed here those that a production install takes
 * by the lock file, what the Dockerfile's other commands leave of them, and what it copies. The caller removes it.
 */
export function assembleImage({ packageCommands, copied }: Image): string {
  const folder = mkdtempSync(join(tmpdir(), 'service-image-'));
  const [first, ...others] = packageCommands;
  if (first !== install) throw new Error(`the Dockerfile installs by "${first}", not by "${install}"`);
  // Links: nothing writes to the files.
  run('cp', ['-al', '--parents', ...productionPackages(), folder], root);
  for (const command of others) run('sh', ['-ec', command], folder);
  run('cp', ['-a', ...copied, folder], root);
  run('chmod', ['755', folder], root);
  return folder;
}

/** Folders of packages that are no development dependencies and that this machine's platform has. */
function productionPackages(): string[] {
  const { packages }: { packages: Record<string, { dev?: boolean }> } = JSON.parse(
    readFile('package-lock.json'),
  );
  const all = Object.keys(packages).filter((path) => path !== '' && packages[path]?.dev !== true);
  // A folder brings what lies in it.
  const outermost = all.filter((path) => !path.includes('/node_modules/'));
  return outermost.filter((path) => existsSync(join(root, path)));
}

function run(program: string, args: readonly string[], cwd: string): void {
  const { status, stderr } = spawnSync(program, args, { cwd, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${program}: ${stderr}`);
}
