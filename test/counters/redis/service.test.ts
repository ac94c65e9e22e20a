import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { HealthService } from '../../../gen/service/health/v1/health_pb.ts';
import { systemClock } from '../../../src/ports/clock.ts';
import { describeWithRedis } from '../../redis-server.ts';
import { type RunningService, startService } from '../../service/start-service.ts';
import { connectDoor, type Door, type Exchange, grpcDoor, restDoor } from '../../wire/doors.ts';

const doors = { REST: restDoor, 'Connect JSON': connectDoor, gRPC: grpcDoor } as const;

describeWithRedis('the service with REDIS_URL', (server) => {
  const closers: (() => unknown)[] = [];
  afterEach(async () => {
    for (const close of closers.splice(0).reverse()) await close();
  });

  async function start(
    env: Readonly<Record<string, string>> = {},
    clock = systemClock,
  ): Promise<RunningService> {
    const service = await startService({ REDIS_URL: server().url, ...env }, { clock });
    closers.push(() => service.stop());
    return service;
  }

  function health({ port }: RunningService, apiKey: string, door: Door = restDoor) {
    const exchange: Exchange = {
      service: HealthService,
      method: HealthService.method.getHealth,
      message: {},
      rest: { method: 'GET', path: '/v1/health' },
      headers: { authorization: `Bearer ${apiKey}` },
    };
    return door(port, exchange);
  }

  test('counts the calls of a key over all processes, until the hour ends', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'service-'));
    closers.push(() => rmSync(folder, { recursive: true }));
    const clock = { now: () => Date.UTC(2026, 4, 10, 12, 59, 30) };
    const one = await start({ DATA_DIR: folder }, clock);
    const two = await start({ DATA_DIR: folder }, clock);
    const first = await health(one, one.apiKey);
    const limit = Number(first.headers['x-ratelimit-limit']);
    const second = await health(two, one.apiKey);
    expect(second.headers['x-ratelimit-remaining']).toBe(String(limit - 2));
    expect(second.headers['x-ratelimit-reset']).toBe(String(Date.UTC(2026, 4, 10, 13) / 1_000));
  });

  test('limits an address over all processes', async () => {
    const env = { IP_RATE_LIMIT: '3' };
    const clock = { now: () => Date.UTC(2026, 4, 11) };
    const [one, two] = [await start(env, clock), await start(env, clock)];
    for (let call = 0; call < 3; call += 1) {
      expect(await health(call === 0 ? one : two, 'unknown')).toMatchObject({ slug: 'invalid_token' });
    }
    expect(await health(one, 'unknown')).toMatchObject({ slug: 'ip_rate_limit_exceeded' });
    expect(await health(two, 'unknown')).toMatchObject({ slug: 'ip_rate_limit_exceeded' });
  });

  test.for(Object.entries(doors))(
    'refuses over %s with the 503 of the catalogue while Redis is away, and serves when it is back',
    async ([, door]) => {
      const service = await start();
      const isFine = async () => (await health(service, service.apiKey, door)).slug === undefined;
      expect(await isFine()).toBe(true);
      await server().kill();
      for (let call = 0; call < 3; call += 1) {
        expect(await health(service, service.apiKey, door)).toMatchObject({
          slug: 'entitlement_check_failed',
        });
      }
      await server().restart();
      await expect.poll(isFine, { timeout: 10_000 }).toBe(true);
    },
  );

  test('refuses in seconds while Redis stands still, and serves when it goes on', async () => {
    const service = await start();
    server().freeze();
    try {
      const calls = [1, 2, 3].map(() => health(service, service.apiKey));
      for (const answer of await Promise.all(calls)) {
        expect(answer).toMatchObject({ status: 503, slug: 'entitlement_check_failed' });
      }
    } finally {
      server().thaw();
    }
    const isFine = async () => (await health(service, service.apiKey)).slug === undefined;
    await expect.poll(isFine, { timeout: 10_000 }).toBe(true);
  });

  test('serves alone on the embedded store; one of several processes needs MongoDB too', async () => {
    await expect(startService({ REDIS_URL: server().url, ROLE: 'worker' })).rejects.toThrow(
      'ROLE=worker is for one of several processes, which need MONGODB_URL',
    );
  });

  test('starts, and refuses, with Redis away, serves when it comes, and stops without it', async () => {
    await server().kill();
    const service = await start();
    expect(await health(service, service.apiKey)).toMatchObject({ slug: 'entitlement_check_failed' });
    await server().restart();
    const isFine = async () => (await health(service, service.apiKey)).slug === undefined;
    await expect.poll(isFine, { timeout: 10_000 }).toBe(true);
    await server().kill();
    await service.stop();
    closers.pop();
    await server().restart();
  });
});
