import type { Clock } from '../../ports/clock.ts';
import type { JobStore } from '../../ports/job-store.ts';
import type { Random } from '../../ports/random.ts';
import type { JobHandler, JobOutcome } from '../../ports/run-queue.ts';

export interface WorkerTimes {
  readonly leaseMs: number;
  /** Between two renewals of a lease. */
  readonly renewalMs: number;
  /** Between two looks at an idle queue. */
  readonly pollMs: number;
  /** Before a job whose handler threw is handed out again. */
  readonly failurePauseMs: number;
  /** For handlers that were aborted to return. */
  readonly stopGraceMs: number;
}

export interface LocalWorkerOptions extends WorkerTimes {
  readonly jobs: JobStore;
  readonly clock: Clock;
  readonly random: Random;
  readonly report: (message: string, cause: unknown) => void;
  readonly handler: JobHandler;
  readonly concurrency: number;
}

export interface LocalWorker {
  /** Looks for jobs now. */
  wake(): void;
  close(deadlineMs: number): Promise<void>;
}

/** Starts a loop that claims jobs while there is room and runs their handlers, each under a lease that it renews. */
export function createLocalWorker(options: LocalWorkerOptions): LocalWorker {
  const { jobs, clock, random, report } = options;
  const atWork = new Map<AbortController, Promise<void>>();
  let isClosing = false;
  let isAwake = false;
  let wakeLoop = (): void => undefined;

  function wake(): void {
    isAwake = true;
    wakeLoop();
  }

  async function loop(): Promise<void> {
    while (!isClosing) {
      isAwake = false;
      const hasMore = await claimSome();
      if (!hasMore && !isAwake && !isClosing) await pause();
    }
  }

  /** Takes as many jobs as there is room for; false when there may be no more to take now. */
  async function claimSome(): Promise<boolean> {
    const limit = options.concurrency - atWork.size;
    if (limit <= 0) return false;
    const token = Buffer.from(random.bytes(16)).toString('hex');
    const nowMs = clock.now();
    try {
      const claimed = await jobs.claim({ nowMs, leaseEndsAtMs: nowMs + options.leaseMs, token, limit });
      for (const id of claimed) start(id, token);
      return claimed.length === limit;
    } catch (error) {
      report('the queue could not be read', error);
      return false;
    }
  }

  function pause(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, options.pollMs);
      wakeLoop = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  function start(id: string, token: string): void {
    const controller = new AbortController();
    const work = workOn(id, token, controller)
      .catch((error) => report(`job ${id} could not be given back`, error))
      .finally(() => {
        atWork.delete(controller);
        wake();
      });
    atWork.set(controller, work);
  }

  async function workOn(id: string, token: string, controller: AbortController): Promise<void> {
    const renewal = setInterval(() => {
      jobs.renew(id, token, clock.now() + options.leaseMs).then(
        (isHeld) => isHeld || controller.abort(jobLost),
        (error) => report(`the lease of job ${id} could not be renewed`, error),
      );
    }, options.renewalMs);
    let outcome: JobOutcome;
    try {
      outcome = await options.handler(id, controller.signal);
    } catch (error) {
      report(`the handler of job ${id} failed`, error);
      outcome = { state: 'later', notBeforeMs: clock.now() + options.failurePauseMs };
    } finally {
      clearInterval(renewal);
    }
    if (outcome.state === 'done') await jobs.remove(id, token);
    else await jobs.release(id, token, outcome.notBeforeMs);
  }

  const looping = loop();

  return {
    wake,
    async close(deadlineMs) {
      isClosing = true;
      wake();
      await looping;
      const ended = Promise.allSettled(atWork.values());
      if (await endsWithin(ended, deadlineMs)) return;
      for (const controller of atWork.keys()) controller.abort(workerStops);
      if (await endsWithin(ended, options.stopGraceMs)) return;
      report('a worker left jobs behind', new Error(`${atWork.size} handlers did not return`));
    },
  };
}

const jobLost = new Error('the job was given to another worker');
const workerStops = new Error('the worker stops');

async function endsWithin(work: Promise<unknown>, limitMs: number): Promise<boolean> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(resolve, limitMs, false);
  });
  const isOver = await Promise.race([work.then(() => true), late]);
  clearTimeout(timer);
  return isOver;
}
