import { globSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, expect, test } from 'vitest';

const root = join(import.meta.dirname, '..');

/** Which rooms each room may import, besides itself and packages. Adapters never import each other. */
const mayImport: Readonly<Record<string, readonly string[]>> = {
  domain: [],
  ports: ['domain'],
  services: ['domain', 'ports'],
  storage: ['domain', 'ports'],
  counters: ['domain', 'ports'],
  secrets: ['domain', 'ports'],
  models: ['domain', 'ports'],
  net: ['domain'],
  queue: ['domain', 'ports'],
  tools: ['domain', 'ports', 'net'],
  documents: ['domain', 'ports', 'net'],
  notifications: ['domain', 'ports', 'net'],
  rpc: ['domain', 'services', 'gen'],
  http: ['domain', 'rpc', 'gen', 'telemetry'],
  telemetry: ['domain'],
  admin: ['domain', 'services', 'compose', 'config'],
  config: ['domain'],
  compose: [
    'admin',
    'config',
    'counters',
    'documents',
    'domain',
    'gen',
    'http',
    'models',
    'net',
    'notifications',
    'ports',
    'queue',
    'rpc',
    'secrets',
    'services',
    'storage',
    'telemetry',
    'tools',
  ],
  main: ['compose', 'config', 'services'],
};

/** Packages that only the named rooms may import. */
const packageRooms: Readonly<Record<string, readonly string[]>> = {
  exceljs: ['documents'],
  pdfkit: ['documents'],
  pptxgenjs: ['documents'],
  docx: ['documents'],
  sharp: ['documents'],
  openai: ['models'],
  mongodb: ['storage'],
  bullmq: ['queue'],
  ioredis: ['queue', 'counters', 'compose'],
  nodemailer: ['notifications'],
  pino: ['telemetry'],
  'prom-client': ['telemetry'],
  standardwebhooks: ['notifications'],
  'node:sqlite': ['storage', 'tools'],
};

interface Import {
  readonly file: string;
  readonly room: string;
  readonly target: string;
}

/** `src/rpc/gate/gate.ts` is in the room `rpc`, `src/compose.ts` in `compose`, `gen/...` in `gen`. */
function roomOf(path: string): string {
  const [top = '', second = ''] = relative(root, path).split('/');
  return (top === 'src' ? second : top).replace(/\.ts$/, '');
}

const files = globSync('src/**/*.ts', { cwd: root }).map((file) => join(root, file));
const imports: Import[] = files.flatMap((file) =>
  [
    ...readFileSync(file, 'utf8').matchAll(
      /^(?:import|export)\b[^;]*?from\s+'([^']+)'|\bimport\('([^']+)'\)/gms,
    ),
  ].map((match) => ({ file: relative(root, file), room: roomOf(file), target: match[1] ?? match[2] ?? '' })),
);

describe('the house', () => {
  test('was looked at', () => {
    expect(files.length).toBeGreaterThan(50);
    expect(imports.length).toBeGreaterThan(200);
  });

  test('has only the rooms of the table', () => {
    expect([...new Set(files.map(roomOf))].filter((room) => !(room in mayImport))).toEqual([]);
  });

  test('has no arrow against the table', () => {
    const wrong = imports
      .filter(({ target }) => target.startsWith('.'))
      .map((found) => ({ ...found, to: roomOf(join(root, dirname(found.file), found.target)) }))
      .filter(({ room, to }) => room !== to && !mayImport[room]?.includes(to))
      .map(({ file, target }) => `${file} → ${target}`);
    expect(wrong).toEqual([]);
  });

  test('keeps each engine behind its room', () => {
    const wrong = imports
      .filter(({ room, target }) => target in packageRooms && !packageRooms[target]?.includes(room))
      .map(({ file, target }) => `${file} → ${target}`);
    expect(wrong).toEqual([]);
  });

  test('reads the environment, the arguments and the exit at its two entries only', () => {
    const users = files.filter((file) =>
      /\bprocess\.(env|argv|exit|on|stdout|stderr)\b/.test(readFileSync(file, 'utf8')),
    );
    expect(users.map((file) => relative(root, file)).sort()).toEqual(['src/admin/main.ts', 'src/main.ts']);
  });

  test('has no barrel', () => {
    expect(files.filter((file) => file.endsWith('/index.ts'))).toEqual([]);
  });
});
