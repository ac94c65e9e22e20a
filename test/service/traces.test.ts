import { afterEach, describe, expect, test } from 'vitest';
import { HealthService } from '../../gen/service/health/v1/health_pb.ts';
import { createLogger } from '../../src/telemetry/logger.ts';
import { grpcDoor } from '../wire/doors.ts';
import { call, createPeople, signIn } from '../wire/session-client.ts';
import { type FakeCollector, type ReceivedSpan, startFakeCollector } from './fake-collector.ts';
import { type RunningService, startService } from './start-service.ts';

const traceId = '0af7651916cd43dd8448eb211c80319c';
const caller = 'b7ad6b7169203331';
const traceparent = `00-${traceId}-${caller}-01`;

const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

async function open({ status = 200, env = {}, log = [] as string[] } = {}): Promise<{
  service: RunningService;
  collector: FakeCollector;
}> {
  const collector = await startFakeCollector(status);
  closers.push(() => collector.close());
  const logger = createLogger('warn', { write: (line) => void log.push(line) });
  const settings = {
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_EXPORTER_OTLP_HEADERS: 'x-collector-token=COLLECTOR-SECRET',
    OTEL_SERVICE_NAME: 'gateway',
    SHUTDOWN_TIMEOUT_MS: '10000',
    ...env,
  };
  const service = await startService(settings, { logger });
  return { service, collector };
}

function attributesOf({ attributes }: ReceivedSpan): Record<string, unknown> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));
}

function only(spans: readonly ReceivedSpan[], name: string): ReceivedSpan {
  const found = spans.filter((span) => span.name === name);
  expect(found, name).toHaveLength(1);
  return found[0] as ReceivedSpan;
}

describe('traces', () => {
  test('of a call go on the caller’s, name the method, and hold gate, model and document, and no content', async () => {
    const { service, collector } = await open();
    const headers = {
      authorization: `Bearer ${service.apiKey}`,
      traceparent,
      'x-request-id': 'request-1',
    };
    const prompt = 'a private question';
    expect((await call(service.url, 'POST', '/v1/chat', headers, { message: prompt })).status).toBe(200);
    const document = { title: 'Private title', sections: [{ heading: 'H', text: 'private text' }] };
    const res = await fetch(`${service.url}/v1/pdf`, {
      method: 'POST',
      headers: { authorization: headers.authorization, 'content-type': 'application/json' },
      body: JSON.stringify(document),
    });
    expect(res.status).toBe(200);
    await res.arrayBuffer();
    await service.stop();

    const spans = collector.spans();
    const server = only(spans, 'POST /v1/chat');
    expect(server).toMatchObject({ traceId, parentSpanId: caller, kind: 2 });
    expect(attributesOf(server)).toMatchObject({
      'http.request.method': 'POST',
      'http.route': '/v1/chat',
      'http.response.status_code': 200,
      'service.method': 'service.chat.v1.ChatService/Chat',
      'service.request_id': 'request-1',
      'service.outcome': 'ok',
    });
    const model = only(spans, 'chat demo');
    expect(model).toMatchObject({ traceId, parentSpanId: server.spanId, kind: 3 });
    const gates = spans.filter(({ name }) => name === 'gate');
    const pdf = only(spans, 'POST /v1/pdf');
    expect(gates.map(({ parentSpanId }) => parentSpanId)).toEqual([server.spanId, pdf.spanId]);
    expect(pdf.traceId).not.toBe(traceId);
    expect(only(spans, 'render pdf')).toMatchObject({ traceId: pdf.traceId, parentSpanId: pdf.spanId });

    expect(collector.paths).toContain('/v1/traces');
    expect(collector.headers[0]?.['x-collector-token']).toBe('COLLECTOR-SECRET');
    expect(collector.serviceNames()).toContain('gateway');
    const text = collector.bodies.join();
    for (const secret of [service.apiKey, prompt, 'rivate', 'COLLECTOR-SECRET'])
      expect(text).not.toContain(secret);
  });

  test('of gRPC calls and refusals say method and outcome', async () => {
    const { service, collector } = await open();
    await grpcDoor(service.port, {
      service: HealthService,
      method: HealthService.method.getHealth,
      message: {},
      rest: { method: 'GET', path: '/v1/health' },
      headers: { authorization: 'Bearer wrong', traceparent: 'not one' },
    });
    await service.stop();
    const server = only(collector.spans(), 'service.health.v1.HealthService/GetHealth');
    expect(server.parentSpanId ?? '').toBe('');
    expect(attributesOf(server)).toMatchObject({
      'rpc.system.name': 'grpc',
      'rpc.method': 'service.health.v1.HealthService/GetHealth',
      'service.outcome': 'invalid_token',
    });
    // A refusal is no failure of the service.
    expect(server.status.code ?? 0).toBe(0);
    expect(collector.bodies.join()).not.toContain('Bearer');
  });

  test('of a run are linked to the call that set it off', async () => {
    const { service, collector } = await open();
    await createPeople(service.store, 'org');
    const { headers } = await signIn(service.url, 'org-member@example.com');
    const created = await call(service.url, 'POST', '/api/agents', headers, { name: 'A', prompt: 'Report.' });
    const id = String((created.body?.agent as { readonly id?: string } | undefined)?.id);
    const started = await call(service.url, 'POST', `/api/agents/${id}/run`, { ...headers, traceparent }, {});
    expect(started.status).toBeLessThan(300);
    const runs = async () =>
      (await service.store.runs.list(id, { limit: 9, statuses: [], triggerTypes: [] })).map(
        ({ status }) => status,
      );
    await expect.poll(runs, { timeout: 20_000 }).toEqual(['succeeded']);
    await service.stop();
    const spans = collector.spans();
    const run = only(spans, 'invoke_agent');
    const server = spans.find(({ spanId }) => spanId === run.links?.[0]?.spanId);
    expect(server).toMatchObject({ traceId, kind: 2 });
    expect(run).toMatchObject({ kind: 5, links: [{ traceId }] });
    expect(run.traceId).not.toBe(traceId);
    expect(attributesOf(run)).toMatchObject({ 'service.agent.id': id, 'service.run.trigger': 'manual' });
    expect(only(spans, 'chat demo')).toMatchObject({ traceId: run.traceId, parentSpanId: run.spanId });
  });

  test('begun here are kept by their share, those begun by a caller as the caller says', async () => {
    const { service, collector } = await open({ env: { OTEL_TRACES_SAMPLER_ARG: '0' } });
    for (const parent of [undefined, traceparent, traceparent.replace(/1$/, '0')]) {
      const headers = { authorization: 'Bearer x', ...(parent !== undefined && { traceparent: parent }) };
      await call(service.url, 'GET', '/v1/health', headers);
    }
    await service.stop();
    expect(only(collector.spans(), 'GET /v1/health')).toMatchObject({ traceId, parentSpanId: caller });
  });

  test('a collector that does not answer keeps the process from no end in time', async () => {
    const log: string[] = [];
    const { service } = await open({ status: 0, log, env: { SHUTDOWN_TIMEOUT_MS: '1000' } });
    await call(service.url, 'GET', '/v1/health', { authorization: `Bearer ${service.apiKey}` });
    await service.stop();
    expect(log.filter((line) => line.includes('the last traces were not sent'))).toHaveLength(1);
  });

  test.for([400, 503])(
    'a collector that answers %i harms no call and no stop, and is logged',
    async (status) => {
      const log: string[] = [];
      const { service, collector } = await open({ status, log });
      const headers = { authorization: `Bearer ${service.apiKey}` };
      expect((await call(service.url, 'GET', '/v1/health', headers)).status).toBe(200);
      await service.stop();
      expect(collector.bodies.length).toBeGreaterThan(0);
      expect(log.join()).toMatch(/traces (cannot be|were not) sent/);
      expect(log.join()).not.toContain('COLLECTOR-SECRET');
    },
  );
});
