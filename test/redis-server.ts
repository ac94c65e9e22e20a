import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll } from 'vitest';
import { freePort } from './free-port.ts';
import { describeWith, findProgram } from './programs.ts';

/** A Redis on a free loopback port, with a folder of its own and nothing kept on disk. */
export interface RedisServer {
  /** Without a database. */
  readonly url: string;
  readonly pid: () => number | undefined;
  /** SIGKILL. */
  kill(): Promise<void>;
  /** Lets it stand still: connections stay open and are not answered. */
  freeze(): void;
  thaw(): void;
  /** Starts it again on the same port, empty. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

export const redisProgram = findProgram('redis-server');

/** Describes tests on a server, which is started once for them. */
export function describeWithRedis(title: string, body: (server: () => RedisServer) => void): void {
  describeWith({ name: 'redis-server', path: redisProgram }, title, () => {
    let server: RedisServer | undefined;
    beforeAll(async () => {
      server = await startRedisServer();
    });
    afterAll(() => server?.stop());
    body(() => {
      if (server === undefined) throw new Error('the server has not been started');
      return server;
    });
  });
}

/** Starts a server; the caller stops it. */
export async function startRedisServer(): Promise<RedisServer> {
  const folder = mkdtempSync(join(tmpdir(), 'service-redis-'));
  const port = await freePort();
  let child = await start(port, folder);
  return {
    url: `redis://127.0.0.1:${port}`,
    pid: () => child.pid,
    kill: () => end(child, 'SIGKILL'),
    freeze: () => void child.kill('SIGSTOP'),
    thaw: () => void child.kill('SIGCONT'),
    async restart() {
      await end(child, 'SIGKILL');
      child = await start(port, folder);
    },
    async stop() {
      await end(child, 'SIGKILL');
      rmSync(folder, { recursive: true });
    },
  };
}

async function start(port: number, folder: string): Promise<ChildProcess> {
  const settings = { port, bind: '127.0.0.1', dir: folder, save: '', appendonly: 'no' };
  const args = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, String(value)]);
  const child = spawn(redisProgram ?? '', args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const failed = once(child, 'close').then(([code]) => {
    throw new Error(`redis-server ended with ${code} before it was ready`);
  });
  const ready = new Promise<void>((resolve) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      if (line.includes('Ready to accept connections')) resolve();
    });
  });
  await Promise.race([ready, failed]);
  failed.catch(() => {});
  return child;
}

async function end(child: ChildProcess, signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const closed = once(child, 'close');
  child.kill(signal);
  await closed;
}
