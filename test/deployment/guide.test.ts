import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { collectDefaultMetrics, Registry } from 'prom-client';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { commands } from '../../src/admin/commands/commands.ts';
import { parseConfig } from '../../src/config.ts';
import { openSqliteStore } from '../../src/storage/sqlite/open-sqlite-store.ts';
import { metricTable } from '../../src/telemetry/metric-table.ts';
import { anOrganization } from '../contract/records.ts';
import { bytesOf, podOf, readCompose, readFile, readRules, root } from './deployment-files.ts';

const guide = readFile('DEPLOYMENT.md');

/** Rows of the table whose head begins with the words. */
function tableOf(head: string): string[][] {
  const lines = guide.slice(guide.indexOf(`\n| ${head} |`) + 1).split('\n');
  const end = lines.findIndex((line) => !line.startsWith('|'));
  return lines.slice(2, end).map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

describe('the guide', () => {
  test('shows every alert with what its rule says', () => {
    const rows = readRules().map(({ alert, labels, annotations }) => [
      alert,
      labels.severity,
      annotations.summary,
      annotations.description,
    ]);
    expect(tableOf('Alert')).toEqual(rows);
  });

  test('names metrics that there are', async () => {
    const registry = new Registry();
    collectDefaultMetrics({ register: registry });
    const own = (await registry.getMetricsAsJSON()).map(({ name }) => name);
    const known = new Set([...Object.keys(metricTable), ...own]);
    const named = [...guide.matchAll(/\b(?:service|nodejs|process)_[a-z0-9_]+/g)].map(([name]) => name);
    expect(named.length).toBeGreaterThan(5);
    for (const name of named) expect(known).toContain(name);
  });

  test('names settings that there are', () => {
    const known = new Set<string>();
    parseConfig(new Proxy<Record<string, string>>({}, { get: (_, name) => void known.add(String(name)) }));
    const asked = [...readFile('compose.yaml').matchAll(/\$\{(\w+):\?\}/g)].map(([, name]) => name);
    const ours = new Set([...known, ...asked, 'BACKUP', 'KEY_ID', 'USER_ID']);
    const named = [...guide.matchAll(/[`\s$"(]([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)\b/g)].map(([, name]) => name);
    expect(named.length).toBeGreaterThan(20);
    for (const name of named) expect(ours).toContain(name);
  });

  test('gives .env everything that compose.yaml must be given, and nothing else', () => {
    const asked = [...readFile('compose.yaml').matchAll(/\$\{(\w+):\?\}/g)].map(([, name]) => name);
    const given = [...guide.matchAll(/^(\w+)=\$\(openssl/gm)].map(([, name]) => name);
    expect(new Set(given)).toEqual(new Set(asked));
  });

  test('names files and commands that there are', () => {
    for (const [, path = ''] of guide.matchAll(/`((?:deploy\/|compose|Dockerfile)[\w./-]*)`/g)) {
      expect(existsSync(join(root, path)), path).toBe(true);
    }
    const named = [...guide.matchAll(/(?:npm run -s admin --|src\/admin\/main\.ts) ([a-z-]+(?: [a-z]+)?)/g)];
    expect(named.length).toBeGreaterThan(4);
    for (const [, name] of named) expect(commands.map((command) => command.name)).toContain(name);
  });

  test.for(['api', 'worker'] as const)('says the sizes that the files give %s', (role) => {
    const row = tableOf('Role').find(([name]) => name === role) ?? [];
    const [, threads, limit = '', asked = ''] = row;
    expect(threads).toBe(readCompose().services[role].environment.WORKER_THREADS ?? '–');
    const { limits, requests } = podOf(role).container.resources;
    expect(bytesOf(limit.replace(/ ?([MG])B/, '$1'))).toBe(bytesOf(limits.memory));
    const [, processors, gigabytes] = /([\d.]+) processors, ([\d.]+) GB/.exec(asked) ?? [];
    expect(Number(processors) * 1_000).toBe(Number.parseInt(requests.cpu, 10));
    expect(Number(gigabytes) * 1_073_741_824).toBe(bytesOf(requests.memory));
  });
});

describe('backup and restore as the guide has them', () => {
  let folder: string;
  let dataDir: string;
  let backup: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'service-backup-'));
    dataDir = join(folder, 'data');
    backup = join(folder, 'backup.db');
  });

  afterEach(() => rmSync(folder, { recursive: true }));

  const open = () => openSqliteStore({ path: join(dataDir, 'service.db') });

  function run(name: string): void {
    const [, code = ''] =
      new RegExp(`<!-- run: ${name} -->\n\`\`\`sh\n([\\s\\S]*?)\n\`\`\``).exec(guide) ?? [];
    expect(code).not.toBe('');
    const PATH = `${dirname(process.execPath)}:${process.env.PATH}`;
    execFileSync('bash', ['-euc', code], {
      env: { PATH, DATA_DIR: dataDir, BACKUP: backup },
      stdio: ['ignore', 'inherit', 'inherit'],
    });
  }

  test('bring back exactly what there was, taken while the store was written to', async () => {
    const store = open();
    for (let index = 0; index < 200; index += 1) {
      await store.organizations.create(anOrganization({ id: `before-${index}`, createdAtMs: index }));
    }
    const writes = Array.from({ length: 50 }, (_, index) =>
      store.organizations.create(anOrganization({ id: `during-${index}`, createdAtMs: 1_000 + index })),
    );
    run('backup');
    await Promise.all(writes);
    await store.organizations.create(anOrganization({ id: 'after', createdAtMs: 5_000 }));
    // The process dies: its log stays behind, with changes that the backup has not.
    expect(statSync(join(dataDir, 'service.db-wal')).size).toBeGreaterThan(0);
    expect(statSync(backup).mode & 0o077).toBe(0);

    run('restore');
    const restored = open();
    expect(await restored.organizations.get('before-199')).toEqual(
      anOrganization({ id: 'before-199', createdAtMs: 199 }),
    );
    expect(await restored.organizations.get('after')).toBeUndefined();
    await restored.organizations.create(anOrganization({ id: 'later', createdAtMs: 6_000 }));
    await restored.close();
    const again = open();
    expect(await again.organizations.get('later')).toBeDefined();
    await again.close();
    await store.close();
  });
});
