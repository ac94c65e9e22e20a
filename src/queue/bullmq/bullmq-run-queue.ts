import { type Job, Queue } from 'bullmq';
import type { Redis } from 'ioredis';
import type { Clock } from '../../ports/clock.ts';
import type { QueueWorker, RunQueue } from '../../ports/run-queue.ts';
import { createBullmqWorker, type WorkerTimes } from './bullmq-worker.ts';
import { createServerCheck } from './check-server.ts';
import { endsWithin } from './ends-within.ts';

export interface BullmqRunQueueOptions extends Partial<WorkerTimes> {
  /** Fails commands that Redis does not answer in time. Of the caller, who closes it after the queue. */
  readonly client: Redis;
  /** Opens a connection that waits for Redis as long as it takes; each worker has its own and closes it. */
  readonly openWorkerClient: () => Redis;
  /** Before the names of all keys. */
  readonly prefix: string;
  readonly clock: Clock;
  /** Told of failures that no caller sees. */
  readonly report: (message: string, cause: unknown) => void;
}

const queueName = 'runs';
/** Redis keeps the last events of a queue for listeners; there are none. */
const keptEvents = 100;
/** For a first connection; later ones are the client's. */
const readyTimeoutMs = 2_000;

const defaultTimes: WorkerTimes = {
  leaseMs: 20_000,
  stalledCheckMs: 5_000,
  failurePauseMs: 5_000,
  stopGraceMs: 5_000,
  disconnectGraceMs: 500,
};

/**
 * Returns a queue on Redis, by BullMQ. A job is named by its run and is gone when it is done, so the name is all that
 * keeps it single: neither BullMQ's deduplication nor its schedulers are used.
 *
 * With Redis away `add` rejects within seconds, and workers go on with what they have and take up the rest when it is
 * back. What a Redis that comes back empty has forgotten has to be added again by who knows the runs. The clock must run
 * as fast as the machine's.
 */
export function createBullmqRunQueue(options: BullmqRunQueueOptions): RunQueue {
  const { client, prefix, clock, report } = options;
  const workers = new Set<QueueWorker>();
  const checkServer = createServerCheck(report);
  checkServer(client);
  const queue = new Queue(queueName, {
    connection: client,
    prefix,
    skipVersionCheck: true,
    streams: { events: { maxLen: keptEvents } },
    defaultJobOptions: { attempts: 1, removeOnComplete: true, removeOnFail: true },
  });
  queue.on('error', (error) => report('the queue failed', error));

  return {
    async add(runId, notBeforeMs) {
      const ready = queue.waitUntilReady();
      if (!(await endsWithin(ready, readyTimeoutMs))) throw new Error('Redis cannot be reached');
      const delay = Math.max(0, notBeforeMs - clock.now());
      const job = await queue.add('run', { runId }, { jobId: jobIdOf(runId), delay });
      await hasten(job, delay);
    },

    work(handler, concurrency) {
      const worker = createBullmqWorker({
        ...defaultTimes,
        ...options,
        checkServer,
        queueName,
        handler,
        concurrency,
      });
      const opened: QueueWorker = {
        async close(deadlineMs) {
          await worker.close(deadlineMs);
          workers.delete(opened);
        },
      };
      workers.add(opened);
      return opened;
    },

    async count() {
      if (client.status !== 'ready') throw new Error('Redis cannot be reached');
      const { active = 0, ...others } = await queue.getJobCounts('active', 'wait', 'prioritized', 'delayed');
      return { active, waiting: Object.values(others).reduce((sum, each) => sum + each, 0) };
    },

    async close() {
      await Promise.all([...workers].map((worker) => worker.close(0)));
      await queue.close();
    },
  };

  /** Makes a job that had been waiting for a later time due at the earlier one. */
  async function hasten(job: Job, delay: number): Promise<void> {
    const score = await client.zscore(queue.toKey('delayed'), jobIdOf(job.data.runId));
    if (score === null || dueAtOf(score) <= job.timestamp + delay) return;
    try {
      if (delay === 0) await job.promote();
      else await job.changeDelay(delay);
    } catch (error) {
      if (!isNoLongerDelayed(error)) throw error;
    }
  }
}

/** BullMQ takes no number as an id of one's own. */
function jobIdOf(runId: string): string {
  return `run-${runId}`;
}

/** BullMQ orders delayed jobs by their time in milliseconds, with twelve bits for the order in one. */
function dueAtOf(score: string): number {
  return Math.floor(Number(score) / 4_096);
}

/** Somebody else was quicker: codes -1 (missing job) and -3 (not in that state). */
function isNoLongerDelayed(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return code === -1 || code === -3;
}
