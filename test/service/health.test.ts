import { once } from 'node:events';
import { create, type Message } from '@bufbuild/protobuf';
import { type ClientReadableStream, status as grpcStatus, type ServiceError } from '@grpc/grpc-js';
import { afterEach, describe, expect, test } from 'vitest';
import {
  Health,
  HealthCheckRequestSchema,
  type HealthCheckResponse,
  HealthCheckResponse_ServingStatus as ServingStatus,
} from '../../gen/grpc/health/v1/health_pb.ts';
import { openSqliteStore } from '../../src/storage/sqlite/open-sqlite-store.ts';
import { openGrpcClient } from '../clients/grpc-js-client.ts';
import { describeWithRedis } from '../redis-server.ts';
import { type RunningService, startService } from './start-service.ts';

const services = [
  'service.admin.v1.AdminService',
  'service.admin.v1.SessionService',
  'service.agent.v1.AgentService',
  'service.chat.v1.ChatService',
  'service.conversation.v1.ConversationService',
  'service.generator.v1.GeneratorService',
  'service.health.v1.HealthService',
];

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

function nameOf({ status }: Pick<HealthCheckResponse, 'status'>): string {
  return Object.entries(ServingStatus).find(([, value]) => value === status)?.[0] ?? String(status);
}

/** The standard health client, of another make. */
function open({ port }: Pick<RunningService, 'port'>) {
  const client = openGrpcClient(Health, port);
  closers.push(() => client.close());
  const request = (service: string) => create(HealthCheckRequestSchema, { service });
  const check = (service: string) =>
    new Promise<string>((resolve) => {
      const done = (error: ServiceError | null, answer?: HealthCheckResponse) =>
        resolve(answer === undefined ? String(grpcStatus[error?.code ?? 2]) : nameOf(answer));
      client.check?.(request(service), done);
    });
  return {
    check,
    async checkAll() {
      const names = ['', ...services];
      return Object.fromEntries(await Promise.all(names.map(async (name) => [name, await check(name)])));
    },
    watch: (service: string) => client.watch?.(request(service)) as ClientReadableStream<Message>,
  };
}

async function next(stream: ClientReadableStream<Message>): Promise<string> {
  const [message] = (await once(stream, 'data')) as [HealthCheckResponse];
  return nameOf(message);
}

const all = (status: string) => Object.fromEntries(['', ...services].map((name) => [name, status]));

describe('the standard health service', () => {
  test('follows the store, for each service and as a whole, and tells those who watch', async () => {
    const store = openSqliteStore({ path: ':memory:' });
    let isAway = false;
    const ping = async () => {
      if (isAway) throw new Error('away');
    };
    const service = await startService({}, { store: { ...store, ping } });
    closers.push(() => service.stop());
    const { check, checkAll, watch } = open(service);
    expect(await checkAll()).toEqual(all('SERVING'));
    expect(await check('service.Unknown')).toBe('NOT_FOUND');
    const stream = watch('service.chat.v1.ChatService');
    expect(await next(stream)).toBe('SERVING');
    isAway = true;
    expect(await next(stream)).toBe('NOT_SERVING');
    expect(await checkAll()).toEqual(all('NOT_SERVING'));
    isAway = false;
    expect(await next(stream)).toBe('SERVING');
    expect(await checkAll()).toEqual(all('SERVING'));
    stream.on('error', () => {});
    stream.cancel();
  });

  test('is NOT_SERVING first of all when the process stops', async () => {
    const service = await startService();
    const stream = open(service).watch('');
    const told: string[] = [];
    stream.on('data', ({ status }: HealthCheckResponse) => told.push(nameOf({ status })));
    const ended = once(stream, 'end');
    await once(stream, 'data');
    const stopped = service.stop();
    await ended;
    await stopped;
    expect(told).toEqual(['SERVING', 'NOT_SERVING']);
  });
});

describeWithRedis('the standard health service with REDIS_URL', (server) => {
  test('follows Redis for the services that count calls', async () => {
    const service = await startService({ REDIS_URL: server().url });
    closers.push(() => service.stop());
    const { checkAll } = open(service);
    const readiness = async () => (await fetch(`${service.adminUrl}/readyz`)).json();
    expect(await checkAll()).toEqual(all('SERVING'));
    await server().kill();
    const without = { ...all('NOT_SERVING'), 'service.admin.v1.AdminService': 'SERVING' };
    await expect.poll(checkAll, { timeout: 10_000 }).toEqual(without);
    expect(await readiness()).toEqual({
      status: 'not_ready',
      checks: [
        { name: 'store', state: 'ok' },
        { name: 'redis', state: 'failing' },
      ],
    });
    const headers = { authorization: `Bearer ${service.apiKey}` };
    expect((await fetch(`${service.url}/v1/health`, { headers })).status).toBe(503);
    const metrics = await (await fetch(`${service.adminUrl}/metrics`)).text();
    expect(metrics).toMatch(/^service_redis_failures_total\{part="counters"\} [1-9]/m);
    expect(metrics).toContain('service_dependency_up{dependency="redis"} 0\n');
    expect(metrics).not.toContain('service_run_jobs{');
    await server().restart();
    await expect.poll(checkAll, { timeout: 10_000 }).toEqual(all('SERVING'));
    expect(await readiness()).toMatchObject({ status: 'ready' });
  });
});
