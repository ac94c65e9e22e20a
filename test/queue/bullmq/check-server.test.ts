import { Redis } from 'ioredis';
import { expect, test } from 'vitest';
import { createBullmqRunQueue } from '../../../src/queue/bullmq/bullmq-run-queue.ts';
import { createServerCheck } from '../../../src/queue/bullmq/check-server.ts';
import { describeWithRedis } from '../../redis-server.ts';

test.for([
  ['redis_version:7.2.4\r\nmaxmemory_policy:noeviction\r\n', []],
  ['redis_version:6.2.0\r\n', []],
  ['valkey_version:8.0.0\r\nmaxmemory_policy:noeviction\r\n', []],
  ['redis_version:7.2.4\r\nmaxmemory_policy:allkeys-lru\r\n', ['allkeys-lru']],
  ['redis_version:6.0.16\r\nmaxmemory_policy:noeviction\r\n', ['6.0']],
  ['redis_version:5.0.7\r\nmaxmemory_policy:volatile-ttl\r\n', ['volatile-ttl', '5.0']],
] as const)('a server that says %j is reported for %j, once', async ([info, problems]) => {
  const told: unknown[] = [];
  const check = createServerCheck((_, cause) => told.push(cause));
  const client = { info: async () => info } as unknown as Redis;
  check(client);
  await client.info();
  const shown = await client.info();
  expect(told).toHaveLength(problems.length);
  for (const [index, problem] of problems.entries()) expect(String(told[index])).toContain(problem);
  expect(shown).not.toMatch(/maxmemory_policy:(?!noeviction)/);
});

describeWithRedis('the queue on a Redis that evicts', (server) => {
  test('reports it once, and writes nothing to the console', async () => {
    const admin = new Redis(server().url);
    await admin.config('SET', 'maxmemory-policy', 'allkeys-lru');
    const { promise: reported, resolve } = Promise.withResolvers<unknown>();
    const written: unknown[] = [];
    const { warn, error } = console;
    console.warn = console.error = (...args: unknown[]) => void written.push(args);
    const client = new Redis(server().url);
    const queue = createBullmqRunQueue({
      client,
      openWorkerClient: () => new Redis(server().url, { maxRetriesPerRequest: null }),
      prefix: 'evicting',
      clock: { now: Date.now },
      report: (_, cause) => resolve(cause),
    });
    const worker = queue.work(async () => ({ state: 'done' }), 1);
    try {
      expect(String(await reported)).toContain('allkeys-lru');
      await worker.close(0);
      expect(written).toEqual([]);
    } finally {
      Object.assign(console, { warn, error });
      await queue.close();
      client.disconnect();
      admin.disconnect();
    }
  });
});
