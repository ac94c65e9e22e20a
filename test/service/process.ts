import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const main = join(import.meta.dirname, '../../src/main.ts');

/** The service as an operator runs it: a process of its own, its log read. */
export interface ServiceProcess {
  readonly lines: readonly string[];
  /** Everything on standard error. */
  errors(): string;
  /** Resolves to the line of the log with the message; rejects when the process ends without it. */
  logged(message: string): Promise<Readonly<Record<string, unknown>>>;
  /** The addresses that its log tells; `url` is undefined in a process that only works. */
  listening(): Promise<{ readonly url: string | undefined; readonly adminUrl: string }>;
  signal(name: 'SIGTERM' | 'SIGINT' | 'SIGKILL' | 'SIGUSR2'): void;
  /** Resolves to the exit code; null when a signal ended it. */
  readonly ended: Promise<number | null>;
}

/** Starts `src/main.ts` with these settings and no others; what is left of it ends with `stop`. */
export function startProcess(env: Readonly<Record<string, string>>): ServiceProcess & {
  stop(): Promise<void>;
} {
  const folder = mkdtempSync(join(tmpdir(), 'service-process-'));
  const defaults = { PORT: '0', DATA_DIR: folder, WORKER_THREADS: '1', LOG_LEVEL: 'trace' };
  const child = spawn(process.execPath, [main], {
    env: { PATH: process.env.PATH, ...defaults, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const lines: string[] = [];
  const waiting = new Set<() => void>();
  let rest = '';
  let errors = '';
  let hasEnded = false;
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    const parts = (rest + text).split('\n');
    rest = parts.pop() ?? '';
    lines.push(...parts);
    for (const look of waiting) look();
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text;
  });
  const ended = once(child, 'close').then(([code]) => {
    hasEnded = true;
    for (const look of waiting) look();
    return code as number | null;
  });

  function logged(message: string): Promise<Record<string, unknown>> {
    return new Promise((resolve, reject) => {
      const look = () => {
        const line = lines.find((each) => each.startsWith('{') && JSON.parse(each).msg === message);
        if (line === undefined && !hasEnded) return;
        waiting.delete(look);
        if (line !== undefined) resolve(JSON.parse(line));
        else reject(new Error(`the process ended without "${message}": ${errors}`));
      };
      waiting.add(look);
      look();
    });
  }

  return {
    lines,
    errors: () => errors,
    logged,
    async listening() {
      const { host, port, adminPort } = await logged('listening');
      return {
        url: port === undefined ? undefined : `http://${host}:${port}`,
        adminUrl: `http://127.0.0.1:${adminPort}`,
      };
    },
    signal: (name) => void child.kill(name),
    ended,
    async stop() {
      child.kill('SIGKILL');
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
