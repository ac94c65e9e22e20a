import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const child = fileURLToPath(new URL('./store-child.ts', import.meta.url));

/**
 * Runs a task of `store-child.ts` in a process of its own and returns the lines it acknowledged. With `killAfter`, it
 * is killed (SIGKILL) after so many.
 */
export async function runStoreProcess(
  place: { readonly opener: URL; readonly location: string },
  task: string,
  argument: string,
  killAfter = Number.POSITIVE_INFINITY,
): Promise<string[]> {
  const args = [child, place.opener.href, place.location, task, argument];
  const spawned = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = once(spawned, 'close');
  let errors = '';
  spawned.stderr.on('data', (chunk) => {
    errors += chunk;
  });
  const lines: string[] = [];
  for await (const line of createInterface({ input: spawned.stdout })) {
    lines.push(line);
    if (lines.length === killAfter) spawned.kill('SIGKILL');
  }
  const [code, signal] = await ended;
  if (code !== 0 && signal !== 'SIGKILL') throw new Error(`the process ended with ${code}: ${errors}`);
  return lines;
}
