import { DelayedError, type Job, Worker } from 'bullmq';
import type { Redis } from 'ioredis';
import type { Clock } from '../../ports/clock.ts';
import type { JobHandler, JobOutcome, QueueWorker } from '../../ports/run-queue.ts';
import { endsWithin } from './ends-within.ts';

export interface WorkerTimes {
  /** A job is its worker's until it has not been renewed for this long. */
  readonly leaseMs: number;
  /** Between two looks for the jobs of dead workers, by whoever of all workers comes first; two find one. */
  readonly stalledCheckMs: number;
  /** Before a job whose handler threw is handed out again. */
  readonly failurePauseMs: number;
  /** For handlers that were aborted to return. */
  readonly stopGraceMs: number;
  /** For the connections to end once there is nothing left to do. */
  readonly disconnectGraceMs: number;
}

export interface BullmqWorkerOptions extends WorkerTimes {
  readonly openWorkerClient: () => Redis;
  /** Prepares a connection before BullMQ has it. */
  readonly checkServer: (client: Redis) => void;
  readonly prefix: string;
  readonly queueName: string;
  readonly clock: Clock;
  readonly report: (message: string, cause: unknown) => void;
  readonly handler: JobHandler;
  readonly concurrency: number;
}

interface HandlerAtWork {
  readonly jobId: string;
  /** Of the lease. */
  readonly token: string;
  readonly handled: Promise<JobOutcome>;
}

/** The pause after a command that failed for want of a connection, milliseconds. */
const retryPauseMs = 500;

/** Starts to hand out jobs. How often a run may start is the record's business: no count of BullMQ fails a job. */
export function createBullmqWorker(options: BullmqWorkerOptions): QueueWorker {
  const { clock, leaseMs, report } = options;
  const atWork = new Map<AbortController, HandlerAtWork>();
  const { client, disconnect } = openConnections(options.openWorkerClient, options.checkServer);
  const worker = new Worker<{ readonly runId: string }>(options.queueName, process, {
    connection: client,
    prefix: options.prefix,
    concurrency: options.concurrency,
    lockDuration: leaseMs,
    lockRenewTime: leaseMs / 2,
    stalledInterval: options.stalledCheckMs,
    maxStalledCount: Number.MAX_SAFE_INTEGER,
    runRetryDelay: retryPauseMs,
    removeOnComplete: { count: 0 },
    removeOnFail: { count: 0 },
  });
  worker.on('error', (error) => report('a worker of the queue failed', error));
  worker.on('lockRenewalFailed', (jobIds) => {
    abortLost(jobIds).catch((error) => report('leases could not be read', error));
  });

  async function process(job: Job<{ readonly runId: string }>, token = ''): Promise<void> {
    const controller = new AbortController();
    const handled = handle(job.data.runId, controller.signal);
    atWork.set(controller, { jobId: job.id ?? '', token, handled });
    const outcome = await handled;
    atWork.delete(controller);
    if (outcome.state === 'done') return;
    const delayMs = Math.max(0, outcome.notBeforeMs - clock.now());
    await job.moveToDelayed(Date.now() + delayMs, token);
    throw new DelayedError();
  }

  async function handle(runId: string, signal: AbortSignal): Promise<JobOutcome> {
    try {
      return await options.handler(runId, signal);
    } catch (error) {
      report(`the handler of run ${runId} failed`, error);
      return { state: 'later', notBeforeMs: clock.now() + options.failurePauseMs };
    }
  }

  /** A lease that Redis forgot is no reason to stop; one that another worker has is. */
  async function abortLost(jobIds: readonly string[]): Promise<void> {
    for (const [controller, { jobId, token }] of atWork) {
      if (!jobIds.includes(jobId)) continue;
      const holder = await client.get(`${worker.toKey(jobId)}:lock`);
      if (holder !== null && holder !== token) controller.abort(jobLost);
    }
  }

  async function close(deadlineMs: number): Promise<void> {
    // Waits for the handlers without an end.
    const closing = worker.close();
    try {
      if (await endsWithin(whenIdle(closing), deadlineMs)) return;
      for (const controller of atWork.keys()) controller.abort(workerStops);
      if (await endsWithin(whenIdle(closing), options.stopGraceMs)) return;
      report('a worker left jobs behind', new Error(`${atWork.size} handlers did not return`));
    } finally {
      disconnect();
    }
  }

  /** Without handlers at work, only a Redis that is away keeps a worker open; it is not waited for. */
  async function whenIdle(closing: Promise<void>): Promise<void> {
    await Promise.race([
      closing,
      whenNoneAtWork().then(() => endsWithin(closing, options.disconnectGraceMs)),
    ]);
  }

  async function whenNoneAtWork(): Promise<void> {
    while (atWork.size > 0) await Promise.all([...atWork.values()].map(({ handled }) => handled));
  }

  let closed: Promise<void> | undefined;
  return {
    close(deadlineMs) {
      closed ??= close(deadlineMs);
      return closed;
    },
  };
}

const jobLost = new Error('the job was given to another worker');
const workerStops = new Error('the worker stops');

/** BullMQ duplicates the connection to wait on and, with Redis away, does not let go of it. */
function openConnections(
  open: () => Redis,
  prepare: (client: Redis) => void,
): { readonly client: Redis; disconnect(): void } {
  const client = open();
  prepare(client);
  const clients = [client];
  const duplicate = client.duplicate.bind(client);
  client.duplicate = (override) => {
    const copy = duplicate(override);
    prepare(copy);
    clients.push(copy);
    return copy;
  };
  return {
    client,
    disconnect() {
      for (const each of clients) each.disconnect();
    },
  };
}
