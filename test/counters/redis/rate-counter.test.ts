import { Redis } from 'ioredis';
import { expect, test } from 'vitest';
import { openCommandClient } from '../../../src/compose/redis.ts';
import { createRedisRateCounter } from '../../../src/counters/redis/rate-counter.ts';
import type { RateCounter } from '../../../src/ports/counters.ts';
import { describeRateCounterContract } from '../../contract/rate-counter-contract.ts';
import { describeWithRedis } from '../../redis-server.ts';

const hour = 3_600_000;
const start = Date.UTC(2026, 0, 1);
const refusal = { slug: 'entitlement_check_failed' };

describeWithRedis('on Redis', (server) => {
  async function open(): Promise<RateCounter & { readonly client: Redis }> {
    const client = await openCommandClient(server().url, () => undefined);
    const counter = createRedisRateCounter(client, 'rate');
    return {
      ...counter,
      client,
      async close() {
        await client.flushall().catch(() => undefined);
        client.disconnect();
      },
    };
  }

  describeRateCounterContract('Redis', open, { hitsAtOnce: 1_000 });

  test('counters of two processes are one: of 200 parallel hits for 50 places exactly 50 are allowed', async () => {
    const counters = [await open(), await open()];
    const window = { limit: 50, windowMs: hour };
    const verdicts = await Promise.all(
      Array.from({ length: 200 }, (_, index) => counters[index % 2]?.hit('key', window, start)),
    );
    expect(verdicts.filter((verdict) => verdict?.allowed)).toHaveLength(50);
    for (const counter of counters) await counter.close();
  });

  test('steps of two processes are exact: of 120 calls in parallel no limit is passed, and none is counted for nothing', async () => {
    const counters = [await open(), await open()];
    const address = { limit: 60, windowMs: 60_000 };
    const hourly = { limit: 45, windowMs: hour };
    const taken = await Promise.all(
      Array.from({ length: 120 }, (_, index) =>
        counters[index % 2]?.takeSteps(
          [
            { kind: 'peek', key: 'auth', window: address },
            { kind: 'hit', key: 'ip', window: address },
            { kind: 'hit', key: 'key', window: hourly },
          ],
          start,
        ),
      ),
    );
    const refusedAt = (step: number) =>
      taken.filter((verdicts) => verdicts?.length === step && !verdicts[step - 1]?.allowed).length;
    expect([refusedAt(1), refusedAt(2), refusedAt(3)]).toEqual([0, 60, 15]);
    for (const counter of counters) {
      expect(await counter.peek('ip', address, start)).toMatchObject({ used: 60 });
      expect(await counter.peek('key', hourly, start)).toMatchObject({ used: 45 });
    }
    for (const counter of counters) await counter.close();
  });

  test('a bucket ends with its hour, whenever its hits came', async () => {
    const counter = await open();
    const window = { limit: 1, windowMs: hour };
    expect(await counter.hit('key', window, start + hour - 1)).toMatchObject({
      allowed: true,
      resetAtMs: start + hour,
    });
    expect(await counter.hit('key', window, start + hour)).toMatchObject({
      allowed: true,
      used: 1,
      resetAtMs: start + 2 * hour,
    });
    await counter.close();
  });

  test('steps are one command, however many', async () => {
    const counter = await open();
    const window = { limit: 9, windowMs: hour };
    const steps = (['peek', 'hit', 'hit', 'peek'] as const).map((kind, index) => ({
      kind,
      key: `${index}`,
      window,
    }));
    await counter.takeSteps(steps, start);
    const other = new Redis(server().url);
    await other.config('RESETSTAT');
    await counter.takeSteps(steps, start);
    const stats = await other.info('commandstats');
    expect(/cmdstat_evalsha:calls=(\d+)/.exec(stats)?.[1]).toBe('1');
    expect(await other.keys('*')).toHaveLength(2);
    await other.quit();
    await counter.close();
  });

  test('a hit is one command, and its key is gone a minute after its window', async () => {
    const counter = await open();
    const other = new Redis(server().url);
    await counter.hit('warm', { limit: 9, windowMs: hour }, start);
    await other.flushdb();
    await other.config('RESETSTAT');
    await counter.hit('key', { limit: 9, windowMs: hour }, start + 600_000);
    const stats = await other.info('commandstats');
    expect(/cmdstat_evalsha:calls=(\d+)/.exec(stats)?.[1]).toBe('1');
    const keys = await other.keys('*');
    expect(keys).toHaveLength(1);
    const lifeMs = await other.pttl(keys[0] ?? '');
    expect(lifeMs).toBeGreaterThan(hour - 600_000);
    expect(lifeMs).toBeLessThanOrEqual(hour - 600_000 + 60_000);
    await other.quit();
    await counter.close();
  });

  test('with Redis away a hit fails and is not counted later; back again, hits count', async () => {
    const counter = await open();
    const window = { limit: 3, windowMs: hour };
    await server().kill();
    for (let hit = 0; hit < 5; hit += 1) {
      await expect(counter.hit('key', window, start)).rejects.toMatchObject(refusal);
    }
    const back = new Promise((resolve) => counter.client.once('ready', resolve));
    await server().restart();
    await back;
    expect(await counter.hit('key', window, start)).toMatchObject({ allowed: true, used: 1 });
    await counter.close();
  });

  test('with Redis standing still a hit fails in seconds', async () => {
    const counter = await open();
    server().freeze();
    try {
      await expect(counter.hit('key', { limit: 3, windowMs: hour }, start)).rejects.toMatchObject(refusal);
    } finally {
      server().thaw();
    }
    await counter.close();
  });
});
