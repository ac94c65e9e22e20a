import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { HealthService } from '../../gen/service/health/v1/health_pb.ts';
import { openSqliteStore } from '../../src/storage/sqlite/open-sqlite-store.ts';
import { metricTable } from '../../src/telemetry/metric-table.ts';
import { grpcDoor } from '../wire/doors.ts';
import { call, createPeople, signIn } from '../wire/session-client.ts';
import { type RunningService, startService } from './start-service.ts';

let service: RunningService;
beforeEach(async () => {
  service = await startService();
});
afterEach(() => service.stop());

/** The lines of the present metrics, without their help. */
async function scrape(): Promise<string[]> {
  const text = await (await fetch(`${service.adminUrl}/metrics`)).text();
  return text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
}

/** The value of one line; 0 when it is not there. */
async function read(series: string): Promise<number> {
  return Number(
    (await scrape()).find((line) => line.startsWith(`${series} `))?.slice(series.length + 1) ?? 0,
  );
}

const bearer = (key = service.apiKey) => ({ authorization: `Bearer ${key}` });

describe('the metrics of the service', () => {
  test('count calls by method, protocol and outcome, and time them', async () => {
    await call(service.url, 'GET', '/v1/health', bearer());
    await call(service.url, 'GET', '/v1/health', bearer('wrong'));
    await grpcDoor(service.port, {
      service: HealthService,
      method: HealthService.method.getHealth,
      message: {},
      rest: { method: 'GET', path: '/v1/health' },
      headers: bearer(),
    });
    const method = 'method="service.health.v1.HealthService/GetHealth"';
    for (const [protocol, outcome] of [
      ['rest', 'ok'],
      ['rest', 'invalid_token'],
      ['grpc', 'ok'],
    ] as const) {
      const series = `service_calls_total{${method},protocol="${protocol}",outcome="${outcome}"}`;
      await expect.poll(() => read(series), { timeout: 5_000 }).toBe(1);
    }
    expect(await read(`service_call_duration_seconds_count{${method},protocol="rest"}`)).toBe(2);
    await expect.poll(() => read('service_calls_in_flight'), { timeout: 5_000 }).toBe(0);
  });

  test('have no label for what a caller makes up', async () => {
    const marks = Array.from({ length: 20 }, () => randomUUID());
    for (const mark of marks) {
      await call(service.url, 'GET', `/v1/conversations/${mark}`, bearer());
      await call(service.url, 'GET', `/v1/${mark}`, { ...bearer(), 'x-request-id': mark });
      await fetch(`${service.url}/${mark}`, { method: 'OPTIONS' });
      await call(service.url, 'POST', '/v1/chat', bearer(), { message: mark, model: mark });
    }
    const lines = (await scrape()).join('\n');
    for (const mark of marks) expect(lines).not.toContain(mark);
    expect(lines).toContain('method="service.conversation.v1.ConversationService/GetConversation"');
  });

  test('count tokens, completions and documents', async () => {
    await call(service.url, 'POST', '/v1/chat', bearer(), { message: 'hello' });
    const body = { title: 'T', sections: [{ heading: 'H', text: 'x' }] };
    const headers = { ...bearer(), 'content-type': 'application/json' };
    const sent = { method: 'POST', headers, body: JSON.stringify(body) };
    const document = await (await fetch(`${service.url}/v1/pdf`, sent)).arrayBuffer();
    expect(await read('service_model_calls_total{model="demo",outcome="ok"}')).toBe(1);
    for (const type of ['prompt', 'completion']) {
      expect(await read(`service_model_tokens_total{model="demo",type="${type}"}`)).toBeGreaterThan(0);
    }
    expect(await read('service_documents_total{format="pdf",outcome="ok"}')).toBe(1);
    expect(await read('service_document_size_bytes_sum{format="pdf"}')).toBe(document.byteLength);
    expect(await read('service_document_jobs{state="waiting"}')).toBe(0);
  });

  test('count a stream as one call, and as open until it ends', async () => {
    const headers = { ...bearer(), accept: 'text/event-stream', 'content-type': 'application/json' };
    const body = JSON.stringify({ message: 'hello' });
    await (await fetch(`${service.url}/v1/chat`, { method: 'POST', headers, body })).text();
    const method = 'method="service.chat.v1.ChatService/StreamChat"';
    const series = `service_calls_total{${method},protocol="rest",outcome="ok"}`;
    await expect.poll(() => read(series), { timeout: 5_000 }).toBe(1);
    expect(await read('service_streams_open')).toBe(0);
  });

  test('count refusals by their limit', async () => {
    const [key] = (await service.store.apiKeys.list({}, { limit: 1 })).data;
    await service.store.apiKeys.update(key?.id ?? '', { rateLimitPerHour: 1 });
    for (const status of [200, 429, 429]) {
      expect((await call(service.url, 'GET', '/v1/health', bearer())).status).toBe(status);
    }
    const series = 'service_refusals_total{slug="rate_limit_exceeded"}';
    await expect.poll(() => read(series), { timeout: 5_000 }).toBe(2);
    await service.store.apiKeys.update(key?.id ?? '', { rateLimitPerHour: 100, tokenBudget: 1 });
    await call(service.url, 'POST', '/v1/chat', bearer(), { message: 'hello' });
    await expect
      .poll(() => read('service_refusals_total{slug="budget_exhausted"}'), { timeout: 5_000 })
      .toBe(1);
  });

  test('count runs by their end', async () => {
    await createPeople(service.store, 'org');
    const { headers } = await signIn(service.url, 'org-member@example.com');
    const created = await call(service.url, 'POST', '/api/agents', headers, { name: 'A', prompt: 'Report.' });
    const id = String((created.body?.agent as { readonly id?: string } | undefined)?.id);
    await call(service.url, 'POST', `/api/agents/${id}/run`, headers, {});
    const series = 'service_runs_total{status="succeeded",trigger="manual"}';
    await expect.poll(() => read(series), { timeout: 20_000 }).toBe(1);
    expect(await read('service_run_duration_seconds_count{status="succeeded"}')).toBe(1);
    await expect.poll(() => read('service_run_jobs{state="active"}'), { timeout: 5_000 }).toBe(0);
  });

  test('count what the store fails to do, and say that it is away', async () => {
    await service.stop();
    const store = openSqliteStore({ path: ':memory:' });
    const apiKeys = { ...store.apiKeys, findPrincipal: () => Promise.reject(new Error('away')) };
    const ping = () => Promise.reject(new Error('away'));
    service = await startService({}, { store: { ...store, apiKeys, ping } });
    expect((await call(service.url, 'GET', '/v1/health', bearer())).status).toBe(503);
    expect(await read('service_store_failures_total{part="apiKeys"}')).toBe(1);
    expect(await read('service_dependency_up{dependency="store"}')).toBe(0);
    expect((await fetch(`${service.url}/readyz`)).status).toBe(503);
  });

  test('are those of the table, and are answered on the admin port only', async () => {
    const names = new Set(
      (await scrape()).map((line) => /^\w+/.exec(line)?.[0] ?? '').filter((name) => /^service_/.test(name)),
    );
    for (const name of names) {
      expect(Object.keys(metricTable)).toContain(name.replace(/_(bucket|sum|count)$/, ''));
    }
    expect((await fetch(`${service.url}/metrics`)).status).toBe(404);
    expect((await fetch(`${service.url}/readyz`)).status).toBe(200);
    expect((await fetch(`${service.url}/livez`)).status).toBe(200);
  });

  test('probes need no key, are not throttled and are no calls of an address', async () => {
    await service.stop();
    service = await startService({ IP_RATE_LIMIT: '1' });
    for (let probe = 0; probe < 5; probe += 1) {
      expect((await fetch(`${service.url}/readyz`)).status).toBe(200);
    }
    expect((await call(service.url, 'GET', '/v1/health', bearer())).status).toBe(200);
    expect((await call(service.url, 'GET', '/v1/health', bearer())).status).toBe(429);
    expect((await fetch(`${service.url}/livez`)).status).toBe(200);
  });
});
