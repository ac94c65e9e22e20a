import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { chownSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import mysql from 'mysql2/promise';
import { Client } from 'pg';
import { freePort } from './free-port.ts';
import { findProgram } from './programs.ts';

/** A real database server on a free port of the loopback interface, with a folder of its own. */
export interface DatabaseServer {
  readonly port: number;
  /** Where it keeps its data. */
  readonly folder: string;
  /** Ends the server and removes its folder. */
  stop(): Promise<void>;
}

/** Both servers refuse to run as root, so that they run as nobody then. */
const unprivilegedId = 65_534;
const isRoot = process.getuid?.() === 0;
const asUnprivileged = isRoot ? { uid: unprivilegedId, gid: unprivilegedId } : {};

export const postgresProgram = { name: 'postgres', path: findProgram('postgres') };
export const mariadbProgram = { name: 'mariadbd', path: findProgram('mariadbd') };

/** Starts PostgreSQL. Its superuser is `root` with the password `root`, its database `postgres`. */
export async function startPostgres(): Promise<DatabaseServer> {
  const folder = createFolder('postgres-');
  const data = join(folder, 'data');
  const passwordFile = join(folder, 'password');
  writeFileSync(passwordFile, 'root', { mode: 0o644 });
  const initdb = required('initdb');
  const options = [
    '-U',
    'root',
    `--pwfile=${passwordFile}`,
    '-A',
    'scram-sha-256',
    '-E',
    'UTF8',
    '--locale=C',
  ];
  execFileSync(initdb, ['-D', data, '-N', ...options], { ...asUnprivileged, stdio: 'pipe', cwd: folder });
  const port = await freePort();
  const settings = { listen_addresses: '127.0.0.1', unix_socket_directories: '', fsync: 'off', port };
  const args = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const child = spawn(required('postgres'), ['-D', data, ...args], {
    ...asUnprivileged,
    stdio: 'ignore',
    cwd: folder,
  });
  // PostgreSQL's quick end; SIGTERM would wait for its clients.
  const stop = () => stopServer(child, 'SIGINT', folder);
  return ready({ port, folder, stop }, child, async () => {
    const client = new Client({
      host: '127.0.0.1',
      port,
      user: 'root',
      password: 'root',
      database: 'postgres',
    });
    client.on('error', () => {});
    await client.connect();
    await client.end();
  });
}

/** Starts MariaDB. Its superuser is `root` with the password `root`. */
export async function startMariadb(): Promise<DatabaseServer> {
  const folder = createFolder('mariadb-');
  const data = join(folder, 'data');
  const install = [
    '--no-defaults',
    `--datadir=${data}`,
    '--auth-root-authentication-method=normal',
    '--skip-test-db',
  ];
  execFileSync(required('mariadb-install-db'), install, { ...asUnprivileged, stdio: 'pipe', cwd: folder });
  const port = await freePort();
  const first = join(folder, 'first.sql');
  writeFileSync(first, "ALTER USER root@localhost IDENTIFIED BY 'root';\n", { mode: 0o644 });
  const args = [
    '--no-defaults',
    `--datadir=${data}`,
    `--port=${port}`,
    '--bind-address=127.0.0.1',
    `--socket=${join(folder, 'socket')}`,
    `--pid-file=${join(folder, 'pid')}`,
    `--init-file=${first}`,
    '--innodb-flush-log-at-trx-commit=0',
    '--innodb-buffer-pool-size=16M',
    '--secure-file-priv=',
  ];
  const child = spawn(required('mariadbd'), args, { ...asUnprivileged, stdio: 'ignore', cwd: folder });
  const stop = () => stopServer(child, 'SIGTERM', folder);
  return ready({ port, folder, stop }, child, async () => {
    const connection = await mysql.createConnection({
      host: '127.0.0.1',
      port,
      user: 'root',
      password: 'root',
    });
    await connection.end();
  });
}

function required(name: string): string {
  const path = findProgram(name);
  if (path === undefined) throw new Error(`${name} was not found`);
  return path;
}

function createFolder(prefix: string): string {
  const folder = mkdtempSync(join(tmpdir(), prefix));
  mkdirSync(join(folder, 'data'), { mode: 0o700 });
  if (isRoot) {
    chownSync(folder, unprivilegedId, unprivilegedId);
    chownSync(join(folder, 'data'), unprivilegedId, unprivilegedId);
  }
  return folder;
}

async function ready(
  server: DatabaseServer,
  child: ChildProcess,
  connect: () => Promise<void>,
): Promise<DatabaseServer> {
  // A test run that is cut short leaves no server behind.
  process.once('exit', () => child.kill('SIGKILL'));
  const deadline = Date.now() + 40_000;
  for (;;) {
    try {
      await connect();
      return server;
    } catch (error) {
      if (child.exitCode !== null || Date.now() > deadline) {
        await server.stop();
        throw error;
      }
      await delay(50);
    }
  }
}

async function stopServer(child: ChildProcess, signal: NodeJS.Signals, folder: string): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) {
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill(signal);
    const killer = setTimeout(() => child.kill('SIGKILL'), 10_000);
    await ended;
    clearTimeout(killer);
  }
  rmSync(folder, { recursive: true, force: true });
}
