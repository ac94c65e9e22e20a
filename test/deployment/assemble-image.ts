import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readlinkSync,
  symlinkSync,
} from 'node:fs';
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
  for (const path of productionPackages()) linkTree(join(root, path), join(folder, path));
  for (const command of others) run(command, folder);
  for (const path of copied) cpSync(join(root, path), join(folder, path), { recursive: true });
  chmodSync(folder, 0o755);
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

/** Copies a folder without copying its files, where the file system can: nothing writes to them. */
function linkTree(from: string, to: string): void {
  mkdirSync(to, { recursive: true });
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory()) linkTree(source, target);
    else if (entry.isSymbolicLink()) symlinkSync(readlinkSync(source), target);
    else linkOrCopy(source, target);
  }
}

/** Links a file, or copies it where links cannot reach. */
export function linkOrCopy(source: string, target: string): void {
  try {
    linkSync(source, target);
  } catch {
    copyFileSync(source, target);
  }
}

function run(command: string, cwd: string): void {
  const { status, stderr } = spawnSync('sh', ['-ec', command], { cwd, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${command}: ${stderr}`);
}
