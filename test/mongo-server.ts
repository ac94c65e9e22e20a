import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { accessSync, constants, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { MongoClient } from 'mongodb';
import { afterAll, beforeAll } from 'vitest';
import { freePort } from './free-port.ts';
import { describeWith, findProgram } from './programs.ts';

/** A server of MongoDB's wire protocol. */
export interface MongoServer {
  /** Without a database. */
  readonly url: string;
  /** What it calls itself. */
  readonly version: string;
  /** What tests may do to the program. Undefined when they did not start it. */
  readonly program: MongoProgram | undefined;
  stop(): Promise<void>;
}

export interface MongoProgram {
  readonly pid: () => number | undefined;
  /** SIGKILL. */
  kill(): Promise<void>;
  /** Starts it again on the same port and folder. */
  restart(): Promise<void>;
  /** SIGSTOP: it takes connections and does not answer. */
  pause(): void;
  resume(): void;
}

const standIn = join(import.meta.dirname, '../../shared/bin/mongod-stand-in');
const runningUrl = process.env.TEST_MONGODB_URL || undefined;

/** The server that TEST_MONGODB_URL names, else the program that is started: MONGOD, `mongod`, or the stand-in beside. */
export const mongoProgram =
  runningUrl ?? (process.env.MONGOD || undefined) ?? findProgram('mongod') ?? existing(standIn);

/** Describes tests on a server, which is started once for them. */
export function describeWithMongo(title: string, body: (server: () => MongoServer) => void): void {
  describeWith({ name: 'mongod (MONGOD, or TEST_MONGODB_URL)', path: mongoProgram }, title, () => {
    let server: MongoServer | undefined;
    beforeAll(async () => {
      server = await openMongoServer();
      console.info(`${title}: ran against ${server.version}`);
    });
    afterAll(() => server?.stop());
    body(() => {
      if (server === undefined) throw new Error('the server has not been started');
      return server;
    });
  });
}

/** Opens the server that tests run against; the caller stops it. */
export async function openMongoServer(): Promise<MongoServer> {
  if (runningUrl !== undefined) {
    const url = runningUrl.replace(/\/+$/, '');
    const version = `${await versionOf(url)} (TEST_MONGODB_URL)`;
    return { url, version, program: undefined, stop: () => Promise.resolve() };
  }
  return startMongoServer(mongoProgram ?? '');
}

async function startMongoServer(path: string): Promise<MongoServer> {
  const folder = mkdtempSync(join(tmpdir(), 'service-mongo-'));
  const port = await freePort();
  const url = `mongodb://127.0.0.1:${port}`;
  // Tests have clocks of their own; nothing is to be removed by the server's.
  const isMongod =
    spawnSync(path, ['--version'], { encoding: 'utf8' }).stdout?.includes('db version') === true;
  const extra = isMongod ? ['--setParameter', 'ttlMonitorEnabled=false'] : [];
  const args = ['--dbpath', folder, '--port', String(port), '--bind_ip', '127.0.0.1', ...extra];
  let child = await startProgram(path, args);
  return {
    url,
    version: `${await versionOf(url)} (${path})`,
    program: {
      pid: () => child.pid,
      kill: () => endProgram(child, 'SIGKILL'),
      async restart() {
        child = await startProgram(path, args);
      },
      pause: () => void child.kill('SIGSTOP'),
      resume: () => void child.kill('SIGCONT'),
    },
    async stop() {
      await endProgram(child, 'SIGTERM');
      rmSync(folder, { recursive: true });
    },
  };
}

async function startProgram(path: string, args: readonly string[]): Promise<ChildProcess> {
  const child = spawn(path, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  const failed = once(child, 'close').then(([code]) => {
    throw new Error(`${path} ended with ${code} before it was ready`);
  });
  // Whatever comes later is not read, and must not fill the pipe.
  child.stderr?.resume();
  const ready = new Promise<void>((resolve) => {
    const lines = createInterface({ input: child.stdout });
    lines.on('line', (line) => {
      if (/waiting for connections/i.test(line)) resolve();
    });
  });
  await Promise.race([ready, failed]);
  failed.catch(() => {});
  return child;
}

async function endProgram(child: ChildProcess, signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const closed = once(child, 'close');
  child.kill(signal);
  await closed;
}

async function versionOf(url: string): Promise<string> {
  const client = await MongoClient.connect(url);
  try {
    const admin = client.db('admin');
    const { version } = await admin.command({ buildInfo: 1 });
    const { setName } = await admin.command({ hello: 1 });
    return `MongoDB ${version}, ${setName === undefined ? 'standalone' : `replica set ${setName}`}`;
  } finally {
    await client.close();
  }
}

function existing(path: string): string | undefined {
  try {
    accessSync(path, constants.X_OK);
    return path;
  } catch {
    return undefined;
  }
}
