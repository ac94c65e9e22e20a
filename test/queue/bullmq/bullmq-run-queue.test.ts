import { Redis } from 'ioredis';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { JobHandler, JobOutcome, RunQueue } from '../../../src/ports/run-queue.ts';
import { describeWithRedis } from '../../redis-server.ts';
import { openBullmqQueue } from './opener.ts';

const leaseMs = 300;
const done: JobOutcome = { state: 'done' };

describeWithRedis('the run queue on Redis', (server) => {
  const closers: (() => Promise<unknown>)[] = [];

  beforeEach(async () => {
    const redis = new Redis(server().url);
    await redis.flushall();
    await redis.quit();
  });

  afterEach(async () => {
    for (const close of closers.splice(0).reverse()) await close();
  });

  async function open(): Promise<RunQueue> {
    const opened = await openBullmqQueue(server().url, leaseMs);
    closers.push(opened.close);
    return opened.queue;
  }

  function watch(queue: RunQueue, handle: JobHandler = async () => done, concurrency = 4) {
    const ids: string[] = [];
    const worker = queue.work((id, signal) => {
      ids.push(id);
      return handle(id, signal);
    }, concurrency);
    closers.push(() => worker.close(0));
    const has = (id: string) => expect.poll(() => ids, { timeout: 10_000, interval: 5 }).toContain(id);
    return { ids, has, worker };
  }

  /** A handler that does not end, and its signal. */
  function held() {
    const gate = Promise.withResolvers<JobOutcome>();
    const signals: AbortSignal[] = [];
    const handle: JobHandler = (id, signal) => {
      if (id !== 'held') return Promise.resolve(done);
      signals.push(signal);
      return gate.promise;
    };
    closers.push(async () => gate.resolve(done));
    return { handle, signals };
  }

  const addWhenBack = (queue: RunQueue, id: string, dueMs: () => number) =>
    expect
      .poll(() => queue.add(id, dueMs()).then(() => 'added'), { timeout: 10_000, interval: 20 })
      .toBe('added');

  test('adding fails while Redis is away or stands still, and works when it is back', async () => {
    const queue = await open();
    await server().kill();
    await expect(queue.add('a', 0)).rejects.toThrow();
    await server().restart();
    await addWhenBack(queue, 'b', () => 0);
    server().freeze();
    await expect(queue.add('c', 0)).rejects.toThrow(/timed out/i);
    server().thaw();
    await addWhenBack(queue, 'd', () => 0);
    const seen = watch(queue);
    await seen.has('d');
    expect(seen.ids).toContain('b');
  });

  test('a queue that opens with Redis away fails to add, and works when it comes', async () => {
    await server().kill();
    const queue = await open();
    const seen = watch(queue);
    await expect(queue.add('a', 0)).rejects.toThrow();
    await server().restart();
    await addWhenBack(queue, 'b', () => 0);
    await seen.has('b');
  });

  test('a worker goes on when Redis was away', async () => {
    const queue = await open();
    const seen = watch(queue);
    await queue.add('a', 0);
    await seen.has('a');
    await server().kill();
    await server().restart();
    await addWhenBack(queue, 'b', () => 0);
    await seen.has('b');
  });

  test('a worker closes with Redis away, having lived or not', async () => {
    const queue = await open();
    const seen = watch(queue);
    await queue.add('a', 0);
    await seen.has('a');
    await server().kill();
    const second = watch(queue);
    await seen.worker.close(60_000);
    await second.worker.close(60_000);
    await server().restart();
  });

  test('what Redis has forgotten does not stop its handler; what another worker was given does', async () => {
    const [one, two] = [await open(), await open()];
    const { handle, signals } = held();
    const first = watch(one, handle, 1);
    await one.add('held', 0);
    await first.has('held');
    const second = watch(two, handle);
    await server().restart();
    await addWhenBack(one, 'marker', () => Date.now() + 3 * leaseMs);
    await second.has('marker');
    expect(signals.map(({ aborted }) => aborted)).toEqual([false]);
    await two.add('held', 0);
    await second.has('held');
    await expect.poll(() => signals.map(({ aborted }) => aborted)).toEqual([true, false]);
  });

  test('leaves nothing of its jobs in Redis', async () => {
    const queue = await open();
    let failures = 0;
    const seen = watch(queue, async (id) => {
      if (id !== 'last' && failures < 20) {
        failures += 1;
        throw new Error('no');
      }
      return done;
    });
    await Promise.all(Array.from({ length: 200 }, (_, index) => queue.add(`${index}`, 0)));
    await queue.add('last', Date.now() + 500);
    await seen.has('last');
    const redis = new Redis(server().url);
    closers.push(() => redis.quit());
    await expect.poll(() => redis.keys('test:runs:run-*')).toEqual([]);
    for (const list of ['completed', 'failed']) expect(await redis.zcard(`test:runs:${list}`)).toBe(0);
    expect(await redis.xlen('test:runs:events')).toBeLessThan(300);
  });
});
