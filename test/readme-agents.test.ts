import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { webhookRefusals } from '../src/domain/webhook-errors.ts';
import { openSqliteStore } from '../src/storage/sqlite/open-sqlite-store.ts';
import { readme, readmeCode } from './readme-code.ts';
import { type RunningService, startService } from './service/start-service.ts';
import { call, createPeople, origin, password, signIn } from './wire/session-client.ts';

const run = promisify(execFile);

let service: RunningService;
let folder: string;
let env: Record<string, string>;
let runsPath: string;
let headers: Readonly<Record<string, string>>;

beforeAll(async () => {
  const store = openSqliteStore({ path: ':memory:' });
  await createPeople(store, 'ours');
  service = await startService({ PUBLIC_URL: origin }, { store });
  folder = mkdtempSync(join(tmpdir(), 'readme-agents-'));
  headers = (await signIn(service.url, 'ours-member@example.com')).headers;
  const fields = { name: 'Reporter', prompt: 'Sum it up.' };
  const created = await call(service.url, 'POST', '/api/agents', headers, fields);
  const { id } = (created.body as { agent: { id: string } }).agent;
  const webhook = await call(service.url, 'POST', `/api/agents/${id}/webhook`, headers);
  runsPath = `/api/agents/${id}/runs?include_skipped=true`;
  env = {
    PATH: process.env.PATH ?? '',
    WEBHOOK_URL: `${service.url}/api/agents/${id}/webhook/trigger`,
    WEBHOOK_SECRET: String(webhook.body?.secret),
  };
});
afterAll(async () => {
  await service.stop();
  rmSync(folder, { recursive: true });
});

describe('the signing code of the README', () => {
  test.for([
    ['curl', 'sh', 'trigger.sh'],
    ['typescript', process.execPath, 'trigger.mts'],
    ['python', 'python3', 'trigger.py'],
  ] as const)('%s is taken', async ([name, program, file]) => {
    const path = join(folder, file);
    writeFileSync(path, readmeCode(`webhook-${name}`));
    const { stdout } = await run(program, [path], { env });
    expect(stdout).toContain('{"ok":true,"queued":true}');
  });

  test('left a run each', async () => {
    const { body } = await call(service.url, 'GET', runsPath, headers);
    expect(body?.data).toHaveLength(3);
  });
});

test('the sign-in of the README makes an agent and its webhook', async () => {
  // As curl sees it, the service is at its public address.
  const asOwner = {
    SERVICE: origin,
    http_proxy: service.url,
    EMAIL: 'ours-member@example.com',
    PASSWORD: password,
  };
  const script = ['-euc', readmeCode('sign-in')];
  const { stdout } = await run('bash', script, { cwd: folder, env: { ...env, ...asOwner } });
  expect(JSON.parse(stdout)).toMatchObject({ ok: true, secret: expect.stringMatching(/^[0-9a-f]{64}$/) });
});

test('the README lists every refusal of a trigger', () => {
  const rows = [...readme.matchAll(/^\| (4\d\d) \| (.+) \|$/gm)].map(
    ([, status, text]) => `${status} ${text}`,
  );
  for (const { status, message } of Object.values(webhookRefusals))
    expect(rows).toContain(`${status} ${message}`);
});
