import { execFile } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { exampleSpecs } from '../src/domain/documents/example-specs.ts';
import { errorCatalogue } from '../src/domain/errors.ts';
import { scopeGrants } from '../src/domain/scopes.ts';
import { describeWith, venvPython } from './programs.ts';
import { readme, readmeCode } from './readme-code.ts';
import { type RunningService, startService } from './service/start-service.ts';

const run = promisify(execFile);
const root = join(import.meta.dirname, '..');

/** The cells of the table under a heading, row by row. */
function tableUnder(heading: string): string[][] {
  const section = readme.split(`\n## ${heading}\n`)[1]?.split('\n## ')[0] ?? '';
  const rows = section.split('\n').filter((line) => line.startsWith('| '));
  return rows.slice(1).map((row) =>
    row
      .slice(2, -1)
      .split('|')
      .map((cell) => cell.trim()),
  );
}

describe('the README', () => {
  test('lists every error of the catalogue, with its status', () => {
    const documented = tableUnder('Errors').map(([status, slug]) => [
      slug?.replaceAll('`', ''),
      Number(status),
    ]);
    expect(documented).toEqual(Object.entries(errorCatalogue).map(([slug, { status }]) => [slug, status]));
  });

  test('gives every dependency its version and a reason', () => {
    const { dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    const rows = tableUnder('Packages');
    expect(rows.map(([name, version]) => [name, version]).sort()).toEqual(
      Object.entries(dependencies).sort(),
    );
    expect(rows.filter(([, , reason]) => (reason ?? '').length < 5)).toEqual([]);
  });

  test('names every setting that the configuration reads', () => {
    const sources = globSync('src/{config.ts,config/*.ts}', { cwd: root });
    const source = sources.map((file) => readFileSync(join(root, file), 'utf8')).join();
    const settings = [...source.matchAll(/read\.\w+\('([A-Z_]+)'/g)].map(([, name]) => name as string);
    expect(settings.length).toBeGreaterThan(15);
    const documented = tableUnder('Settings')
      .map(([names]) => names)
      .join(' ');
    expect([...new Set(settings)].filter((name) => !documented.includes(`\`${name}\``))).toEqual([]);
  });

  test('lists every scope with what it grants', () => {
    const [, rows = ''] = readme.split('| Scope | Grants |\n|---|---|\n');
    const documented = [...(rows.split('\n\n')[0] ?? '').matchAll(/^\| `(.+)` \| (.+) \|$/gm)];
    expect(Object.fromEntries(documented.map(([, scope, grants]) => [scope, grants]))).toEqual(scopeGrants);
  });

  test.for(Object.entries(exampleSpecs))(
    'shows the spec that the first start prints: %s',
    ([engine, spec]) => {
      const body = /-d '\n([\s\S]*)'$/.exec(readmeCode(engine))?.[1] ?? '';
      expect(JSON.parse(body)).toEqual(spec);
    },
  );
});

describe('the code of the README', () => {
  let service: RunningService;
  let folder: string;
  let env: Record<string, string>;

  beforeAll(async () => {
    service = await startService();
    folder = mkdtempSync(join(tmpdir(), 'readme-'));
    for (const name of ['gen', 'proto', 'node_modules', 'package.json', 'src'])
      symlinkSync(join(root, name), join(folder, name));
    env = {
      ...(process.env as Record<string, string>),
      SERVICE: service.url,
      API_KEY: service.apiKey,
      ADMIN: service.adminUrl,
    };
    env.PATH = `${join(root, '.venv/bin')}:${join(root, 'node_modules/.bin')}:${env.PATH}`;
  });
  afterAll(async () => {
    await service?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  const sh = async (name: string) =>
    (await run('bash', ['-euc', readmeCode(name)], { cwd: folder, env })).stdout;
  const ts = async (name: string) => {
    writeFileSync(join(folder, `${name}.ts`), readmeCode(name));
    return (await run('node', [`${name}.ts`], { cwd: folder, env })).stdout;
  };
  const fileStart = (name: string, bytes: number) =>
    readFileSync(join(folder, name)).subarray(0, bytes).toString('latin1');

  test('health', async () => {
    expect(JSON.parse(await sh('health'))).toMatchObject({ status: 'ok' });
  });

  test('probes and metrics', async () => {
    const shown = await sh('watch');
    expect(shown).toContain('{"status":"ready","checks":[{"name":"store","state":"ok"}]}');
    expect(shown).toMatch(/^service_dependency_up\{dependency="store"\} 1$/m);
  });

  test.for<[string, string, string]>([
    ['excel', 'sales.xlsx', 'PK'],
    ['pdf', 'report.pdf', '%P'],
    ['pptx', 'review.pptx', 'PK'],
    ['docx', 'brief.docx', 'PK'],
  ])('makes a document: %s', async ([name, file, magic]) => {
    await sh(name);
    expect(fileStart(file, 2)).toBe(magic);
  });

  test('gRPC from TypeScript', async () => {
    await ts('grpc-typescript');
    expect(fileStart('hello.pdf', 5)).toBe('%PDF-');
  });

  test('chat', async () => {
    const answer = JSON.parse(await sh('chat'));
    expect(answer).toMatchObject({ model: 'demo', finish_reason: 'stop' });
    expect(answer.content).not.toBe('');
  });

  test('a question, and the conversations', async () => {
    expect(JSON.parse(await sh('query'))).toMatchObject({ model: 'demo', finish_reason: 'stop' });
    await sh('chat');
    expect(JSON.parse(await sh('conversations'))).toMatchObject({ data: [{}], has_more: false });
  });

  test('a chat stream with fetch', async () => {
    expect((await ts('chat-stream')).length).toBeGreaterThan(10);
  });

  test('a chat over gRPC from TypeScript', async () => {
    expect(await ts('chat-grpc-typescript')).toContain('You said: Hello');
  });

  describeWith({ name: 'Python with grpcio-tools in .venv', path: venvPython() }, 'in Python', () => {
    test('gRPC', async () => {
      await sh('grpc-python-stubs');
      writeFileSync(join(folder, 'health.py'), readmeCode('grpc-python'));
      const { stdout } = await run('python', ['health.py'], { cwd: folder, env });
      expect(stdout).toMatch(/^ok \d+\n$/);
      writeFileSync(join(folder, 'chat.py'), readmeCode('chat-grpc-python'));
      expect((await run('python', ['chat.py'], { cwd: folder, env })).stdout).toContain('You said: Hello');
    });
  });
});
