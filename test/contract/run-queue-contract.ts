import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { JobHandler, JobOutcome, RunQueue } from '../../src/ports/run-queue.ts';

/** Where queues of several processes meet. */
export interface QueuePlace {
  /** Module whose `openQueue(location)` opens a queue there. */
  readonly opener: URL;
  readonly location: string;
  /** How long a job of a dead worker may be held, milliseconds; short. */
  readonly leaseMs: number;
  remove(): Promise<void>;
}

export interface OpenedQueue {
  readonly queue: RunQueue;
  close(): Promise<void>;
}

const child = fileURLToPath(new URL('./run-queue-child.ts', import.meta.url));
const done: JobOutcome = { state: 'done' };

/** Holds a queue to the invariants of `ports/run-queue`. */
export function describeRunQueueContract(name: string, createPlace: () => Promise<QueuePlace>): void {
  describe(`${name}: the run queue`, () => {
    let place: QueuePlace;
    const closers: (() => Promise<unknown>)[] = [];

    beforeEach(async () => {
      place = await createPlace();
    });

    afterEach(async () => {
      for (const close of closers.splice(0).reverse()) await close();
      await place.remove();
    });

    async function open(): Promise<RunQueue> {
      const { openQueue } = (await import(place.opener.href)) as {
        openQueue(location: string): Promise<OpenedQueue>;
      };
      const opened = await openQueue(place.location);
      closers.push(opened.close);
      return opened.queue;
    }

    /** Works on a queue and keeps what its handler was given. */
    function watch(queue: RunQueue, handle: JobHandler = async () => done, concurrency = 4) {
      const given: { readonly id: string; readonly atMs: number }[] = [];
      const waiting: { readonly count: number; readonly resolve: () => void }[] = [];
      const worker = queue.work((id, signal) => {
        given.push({ id, atMs: Date.now() });
        for (const { count, resolve } of waiting) if (given.length >= count) resolve();
        return handle(id, signal);
      }, concurrency);
      closers.push(() => worker.close(0));
      const until = (count: number) =>
        new Promise<void>((resolve) => {
          if (given.length >= count) resolve();
          else waiting.push({ count, resolve });
        });
      return { worker, given, until, ids: () => given.map(({ id }) => id) };
    }

    /** Resolves when jobs due until `ms` from now have been handed out, by a job that is due then. */
    async function passed(queue: RunQueue, seen: ReturnType<typeof watch>, ms: number): Promise<void> {
      const before = seen.given.length;
      await queue.add(`marker-${before}`, Date.now() + ms);
      for (let count = before + 1; !seen.ids().includes(`marker-${before}`); count += 1)
        await seen.until(count);
    }

    test('hands a job to one handler, once', async () => {
      const queue = await open();
      const seen = watch(queue);
      await queue.add('a', 0);
      await queue.add('b', Date.now());
      await seen.until(2);
      await passed(queue, seen, place.leaseMs * 2);
      expect(seen.ids().toSorted()).toEqual(['a', 'b', 'marker-2']);
    });

    test('hands a job out at its time or after it', async () => {
      const queue = await open();
      const seen = watch(queue);
      const dueMs = Date.now() + 150;
      await queue.add('late', dueMs);
      await queue.add('now', 0);
      await seen.until(2);
      expect(seen.ids()).toEqual(['now', 'late']);
      expect(seen.given[1]?.atMs).toBeGreaterThanOrEqual(dueMs);
    });

    test('adding a job that waits makes it due at the earlier time, and no second job', async () => {
      const queue = await open();
      await queue.add('a', Date.now() + 3_600_000);
      await queue.add('a', 0);
      await queue.add('a', Date.now() + 7_200_000);
      await queue.add('a', 0);
      const seen = watch(queue);
      await seen.until(1);
      await passed(queue, seen, place.leaseMs);
      expect(seen.ids()).toEqual(['a', 'marker-1']);
    });

    test('adding a job that is at work changes nothing', async () => {
      const queue = await open();
      const gate = Promise.withResolvers<JobOutcome>();
      const seen = watch(queue, async (id) => (id === 'a' ? gate.promise : done));
      await queue.add('a', 0);
      await seen.until(1);
      await queue.add('a', 0);
      await passed(queue, seen, place.leaseMs);
      gate.resolve(done);
      await passed(queue, seen, place.leaseMs);
      expect(seen.ids().filter((id) => id === 'a')).toHaveLength(1);
    });

    test('hands a job out again when its handler asks for it, and when it throws', async () => {
      const queue = await open();
      const outcomes: (() => Promise<JobOutcome>)[] = [
        () => Promise.reject(new Error('no')),
        async () => ({ state: 'later', notBeforeMs: Date.now() + 60 }),
        async () => done,
      ];
      const seen = watch(queue, () => outcomes.shift()?.() ?? Promise.resolve(done));
      await queue.add('a', 0);
      await seen.until(3);
      await passed(queue, seen, place.leaseMs);
      expect(seen.ids()).toEqual(['a', 'a', 'a', 'marker-3']);
      expect((seen.given[2]?.atMs ?? 0) - (seen.given[1]?.atMs ?? 0)).toBeGreaterThanOrEqual(60);
    });

    test('counts the jobs that wait, now or for their time, and those at work', async () => {
      const queue = await open();
      const gate = Promise.withResolvers<JobOutcome>();
      const seen = watch(queue, () => gate.promise, 1);
      await queue.add('a', 0);
      await seen.until(1);
      await queue.add('b', 0);
      await queue.add('c', Date.now() + 3_600_000);
      expect(await queue.count()).toEqual({ waiting: 2, active: 1 });
      gate.resolve(done);
    });

    test('works on no more jobs at once than it was told', async () => {
      const queue = await open();
      let atOnce = 0;
      let most = 0;
      const seen = watch(
        queue,
        async () => {
          atOnce += 1;
          most = Math.max(most, atOnce);
          await new Promise((resolve) => setImmediate(resolve));
          atOnce -= 1;
          return done;
        },
        3,
      );
      await Promise.all(Array.from({ length: 40 }, (_, index) => queue.add(`job-${index}`, 0)));
      await seen.until(40);
      expect(most).toBe(3);
    });

    test('gives each of many jobs to one of several workers', async () => {
      const queues = await Promise.all([open(), open(), open()]);
      const given: string[] = [];
      const all = Promise.withResolvers<void>();
      for (const queue of queues) {
        watch(queue, async (id) => {
          if (given.push(id) === 150) all.resolve();
          return done;
        });
      }
      const ids = Array.from({ length: 150 }, (_, index) => `job-${index}`);
      await Promise.all(ids.map((id, index) => queues[index % 3]?.add(id, 0)));
      await all.promise;
      expect(given.toSorted()).toEqual(ids.toSorted());
    });

    test('keeps a job with its handler for as long as that works, far beyond one lease', async () => {
      const [one, two] = [await open(), await open()];
      const gate = Promise.withResolvers<JobOutcome>();
      const holder = watch(one, () => gate.promise, 1);
      await one.add('long', 0);
      await holder.until(1);
      const other = watch(two);
      await passed(two, other, place.leaseMs * 3);
      expect(other.ids()).not.toContain('long');
      gate.resolve(done);
    });

    test('keeps what was added over a restart', async () => {
      const first = await open();
      await first.add('a', 0);
      await closers.pop()?.();
      const seen = watch(await open());
      await seen.until(1);
      expect(seen.ids()).toEqual(['a']);
    });

    test('hands the job of a killed worker to another', async () => {
      const queue = await open();
      await queue.add('a', 0);
      const args = [child, place.opener.href, place.location];
      const spawned = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
      closers.push(async () => spawned.kill('SIGKILL'));
      const [line] = (await once(createInterface({ input: spawned.stdout }), 'line')) as [string];
      expect(line).toBe('a');
      const seen = watch(queue);
      await passed(queue, seen, place.leaseMs * 2);
      expect(seen.ids()).not.toContain('a');
      const ended = once(spawned, 'close');
      spawned.kill('SIGKILL');
      await ended;
      await passed(queue, seen, place.leaseMs * 3);
      expect(seen.ids().filter((id) => id === 'a')).toHaveLength(1);
    });

    describe('closing a worker', () => {
      test('waits for its handlers and takes no more jobs', async () => {
        const queue = await open();
        const gate = Promise.withResolvers<JobOutcome>();
        const seen = watch(queue, () => gate.promise, 1);
        await queue.add('a', 0);
        await seen.until(1);
        await queue.add('b', 0);
        let isClosed = false;
        const closing = seen.worker.close(60_000).then(() => {
          isClosed = true;
        });
        const other = watch(await open());
        await other.until(1);
        expect(other.ids()).toEqual(['b']);
        expect(isClosed).toBe(false);
        gate.resolve(done);
        await closing;
        expect(seen.ids()).toEqual(['a']);
      });

      test('aborts its handlers at the deadline; what they give back goes to another at once', async () => {
        const queue = await open();
        const seen = watch(
          queue,
          (_, signal) =>
            new Promise((resolve) => {
              signal.addEventListener('abort', () => resolve({ state: 'later', notBeforeMs: 0 }));
            }),
        );
        await queue.add('a', 0);
        await seen.until(1);
        await seen.worker.close(20);
        const other = watch(await open());
        await other.until(1);
        expect(other.ids()).toEqual(['a']);
      });
    });
  });
}
