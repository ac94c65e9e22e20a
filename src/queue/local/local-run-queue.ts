import type { Clock } from '../../ports/clock.ts';
import type { JobStore } from '../../ports/job-store.ts';
import type { Random } from '../../ports/random.ts';
import type { RunQueue } from '../../ports/run-queue.ts';
import { createLocalWorker, type LocalWorker, type WorkerTimes } from './local-worker.ts';

export interface LocalRunQueueOptions extends Partial<WorkerTimes> {
  readonly jobs: JobStore;
  readonly clock: Clock;
  readonly random: Random;
  /** Told of failures that no caller sees. */
  readonly report: (message: string, cause: unknown) => void;
}

const defaultTimes: WorkerTimes = {
  leaseMs: 20_000,
  renewalMs: 5_000,
  pollMs: 500,
  failurePauseMs: 5_000,
  stopGraceMs: 5_000,
};

/**
 * Returns a queue whose jobs are in a store. Any number of processes may share the store: a worker takes at once what
 * its own process adds, and finds the jobs of others and those that become due within `pollMs`.
 */
export function createLocalRunQueue(options: LocalRunQueueOptions): RunQueue {
  const { jobs, clock } = options;
  const workers = new Set<LocalWorker>();
  return {
    async add(runId, notBeforeMs) {
      await jobs.add(runId, notBeforeMs);
      if (notBeforeMs > clock.now()) return;
      for (const worker of workers) worker.wake();
    },

    work(handler, concurrency) {
      const worker = createLocalWorker({ ...defaultTimes, ...options, handler, concurrency });
      workers.add(worker);
      return {
        async close(deadlineMs) {
          await worker.close(deadlineMs);
          workers.delete(worker);
        },
      };
    },

    count: () => jobs.count(),

    async close() {
      await Promise.all([...workers].map((worker) => worker.close(0)));
    },
  };
}
