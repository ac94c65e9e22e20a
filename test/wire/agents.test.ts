import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openSqliteStore } from '../../src/storage/sqlite/open-sqlite-store.ts';
import { type RunningService, startService } from '../service/start-service.ts';
import { type BrowserSession, call, createPeople, origin, signIn } from './session-client.ts';

let service: RunningService;
let member: BrowserSession;

beforeAll(async () => {
  const store = openSqliteStore({ path: ':memory:' });
  await createPeople(store, 'ours');
  service = await startService({ PUBLIC_URL: origin }, { store });
  member = await signIn(service.url, 'ours-member@example.com');
});
afterAll(() => service.stop());

// biome-ignore lint/suspicious/noExplicitAny: tests reach into whatever was answered
async function ask(method: string, path: string, body?: unknown): Promise<any> {
  const answer = await call(service.url, method, path, member.headers, body);
  expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
  return answer.body;
}

/** Waits for the end of a run as a client does: by its events. */
async function ended(agentId: string, runId: string) {
  const response = await fetch(`${service.url}/api/agents/${agentId}/runs/${runId}/events`, {
    headers: member.headers,
  });
  await response.text();
  return (await ask('GET', `/api/agents/${agentId}/runs/${runId}`)).run;
}

async function trigger(path: string, secret: string, body: string) {
  const timestamp = String(Math.floor(Date.now() / 1_000));
  const signature = createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex');
  const response = await fetch(service.url + path, {
    method: 'POST',
    headers: { 'x-webhook-timestamp': timestamp, 'x-webhook-signature': signature },
    body,
  });
  return { status: response.status, body: await response.json() };
}

describe('the whole service', () => {
  test('runs an agent for a signed webhook and shows the run to its owner', async () => {
    const { agent } = await ask('POST', '/api/agents', { name: 'Reporter', prompt: 'Sum it up.' });
    const webhook = await ask('POST', `/api/agents/${agent.id}/webhook`);
    const path = `/api/agents/${agent.id}/webhook/trigger`;
    expect(webhook.trigger_url).toBe(origin + path);
    expect(await trigger(path, webhook.secret, '{"order":7}')).toEqual({
      status: 200,
      body: { ok: true, queued: true },
    });
    const { data } = await ask('GET', `/api/agents/${agent.id}/runs`);
    expect(data).toHaveLength(1);
    const run = await ended(agent.id, data[0].id);
    expect(run).toMatchObject({ trigger_type: 'webhook', status: 'succeeded', payload_bytes: 11 });
    expect(run.output).toContain('Sum it up.');
    expect(await trigger(path, '0'.repeat(64), '{}')).toEqual({
      status: 401,
      body: { ok: false, error: 'Invalid signature' },
    });
  });

  test('runs an agent by hand', async () => {
    const { agent } = await ask('POST', '/api/agents', { name: 'Reporter', prompt: 'Say hello.' });
    const { run } = await ask('POST', `/api/agents/${agent.id}/run`);
    expect(run.status).toBe('queued');
    expect(await ended(agent.id, run.id)).toMatchObject({ status: 'succeeded', attempt: 1 });
  });

  test('refuses changes without the token of the session, but needs none for a trigger', async () => {
    const headers = { cookie: member.cookie, origin };
    const answer = await call(service.url, 'POST', '/api/agents', headers, { name: 'A', prompt: 'B' });
    expect(answer.status).toBe(403);
    const path = '/api/agents/00000000-0000-7000-8000-000000000000/webhook/trigger';
    expect((await trigger(path, 'x', '')).status).toBe(404);
  });
});
