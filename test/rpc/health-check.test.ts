import { Code, createClient, createRouterTransport } from '@connectrpc/connect';
import { describe, expect, test } from 'vitest';
import {
  Health,
  HealthCheckResponse_ServingStatus as ServingStatus,
} from '../../gen/grpc/health/v1/health_pb.ts';
import { createHealthCheck } from '../../src/rpc/health-check.ts';

function open() {
  const health = createHealthCheck();
  const client = createClient(
    Health,
    createRouterTransport((router) => health.register(router)),
  );
  return { health, client };
}

describe('the health service', () => {
  test('serves as a whole from the start, and knows a service once its status is set', async () => {
    const { health, client } = open();
    expect((await client.check({})).status).toBe(ServingStatus.SERVING);
    await expect(client.check({ service: 'a.B' })).rejects.toMatchObject({ code: Code.NotFound });
    health.setStatus('a.B', 'NOT_SERVING');
    expect((await client.check({ service: 'a.B' })).status).toBe(ServingStatus.NOT_SERVING);
    expect(Object.keys((await client.list({})).statuses)).toEqual(['', 'a.B']);
  });

  test('a watcher is told the present status, every change once, and the end', async () => {
    const { health, client } = open();
    const told: number[] = [];
    for await (const { status } of client.watch({ service: 'a.B' })) {
      told.push(status);
      if (told.length === 1) health.setStatus('a.B', 'SERVING');
      if (told.length === 2) {
        health.setStatus('other', 'SERVING');
        health.shutdown();
      }
    }
    expect(told).toEqual([ServingStatus.SERVICE_UNKNOWN, ServingStatus.SERVING, ServingStatus.NOT_SERVING]);
  });

  test('is brought up to date before it tells on demand, and tells watchers of changes only', async () => {
    const answers = ['NOT_SERVING', 'SERVING', 'SERVING'] as const;
    let asked = 0;
    const health = createHealthCheck(async () => health.setStatus('', answers[asked++] ?? 'SERVING'));
    const client = createClient(
      Health,
      createRouterTransport((router) => health.register(router)),
    );
    const told: number[] = [];
    for await (const { status } of client.watch({})) {
      told.push(status);
      if (told.length === 1) expect((await client.check({})).status).toBe(ServingStatus.NOT_SERVING);
      if (told.length === 2) expect((await client.list({})).statuses['']?.status).toBe(ServingStatus.SERVING);
      if (told.length === 3) {
        await client.check({});
        health.shutdown();
      }
    }
    expect(told).toEqual([
      ServingStatus.SERVING,
      ServingStatus.NOT_SERVING,
      ServingStatus.SERVING,
      ServingStatus.NOT_SERVING,
    ]);
  });

  test('after its shutdown nothing serves again', async () => {
    const { health, client } = open();
    health.shutdown();
    health.setStatus('', 'SERVING');
    expect((await client.check({})).status).toBe(ServingStatus.NOT_SERVING);
  });

  test('a watcher that goes away is forgotten', async () => {
    const { client } = open();
    const controller = new AbortController();
    const watching = client.watch({}, { signal: controller.signal })[Symbol.asyncIterator]();
    await watching.next();
    const next = watching.next();
    controller.abort();
    await expect(next).rejects.toMatchObject({ code: Code.Canceled });
  });
});
