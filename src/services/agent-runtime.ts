import type { RateCounter } from '../ports/counters.ts';
import type { QueueWorker, RunQueue } from '../ports/run-queue.ts';
import type { Store } from '../ports/store.ts';
import type { AgentDependencies } from './agent/agent-dependencies.ts';
import { type AgentService, createAgentService } from './agent/agent-service.ts';
import { createRunHandler } from './run/execute-run.ts';
import type { RunDependencies } from './run/run-dependencies.ts';
import { createRunService, type RunService } from './run/run-service.ts';
import { sweepRuns } from './run/sweep-runs.ts';
import { runSchedules } from './scheduler/scheduler.ts';
import { triggerWebhook, type WebhookTrigger } from './webhook/trigger-webhook.ts';
import { createWebhookService, type WebhookService } from './webhook/webhook-service.ts';

export interface AgentRuntimeDependencies
  extends Omit<AgentDependencies, 'hasMailServer'>,
    Omit<RunDependencies, 'store' | 'queue'> {
  readonly store: AgentDependencies['store'] & Pick<Store, 'replayMemory'>;
  readonly queue: RunQueue;
  /** Counts webhook triggers and attempts. */
  readonly rateCounter: RateCounter;
  /** Of the service, without a slash at its end. */
  readonly publicUrl: string;
}

export interface AgentRuntimeOptions {
  /** Runs at once in this process. */
  readonly concurrency?: number;
  /** Between two looks at the schedules. */
  readonly scheduleMs?: number;
  /** Between two sweeps for overdue runs. */
  readonly sweepMs?: number;
}

/** Everything about agents: the services, and the work in the background once it is started. */
export interface AgentRuntime {
  readonly agents: AgentService;
  readonly runs: RunService;
  readonly webhooks: WebhookService;
  /** @throws ApiError of `webhookRefusals` */
  trigger(trigger: WebhookTrigger): Promise<void>;
  /** Starts to take jobs, follow schedules and sweep. Not for a process that only serves. */
  start(): void;
  /**
   * Stops schedules and sweeps, takes no more jobs and lets runs end until the deadline; then they are stopped and
   * given back, for another worker to go on with. Chat and store must be closed after this.
   */
  close(deadlineMs: number): Promise<void>;
}

const replaySweepMs = 60_000;

export function createAgentRuntime(
  deps: AgentRuntimeDependencies,
  { concurrency = 8, scheduleMs = 1_000, sweepMs = 5_000 }: AgentRuntimeOptions = {},
): AgentRuntime {
  const { report, store, clock } = deps;
  const agentDeps = { ...deps, hasMailServer: deps.mailer !== null };
  const ticks: { stop(): Promise<void> }[] = [];
  let worker: QueueWorker | undefined;
  return {
    agents: createAgentService(agentDeps),
    runs: createRunService(agentDeps),
    webhooks: createWebhookService(agentDeps),
    trigger: (trigger) => triggerWebhook(deps, trigger),

    start() {
      if (worker !== undefined) return;
      worker = deps.queue.work(createRunHandler(deps), concurrency);
      ticks.push(
        every(scheduleMs, () => runSchedules(agentDeps), report, 'the schedules could not be read'),
        every(sweepMs, () => sweepRuns(deps), report, 'overdue runs could not be swept'),
        every(
          replaySweepMs,
          () => store.replayMemory.forgetExpired(clock.now()),
          report,
          'used signatures could not be swept',
        ),
      );
    },

    async close(deadlineMs) {
      await Promise.all(ticks.splice(0).map((tick) => tick.stop()));
      await worker?.close(deadlineMs);
    },
  };
}

/** Does something again and again, never twice at once, until it is stopped; then waits for the last time to end. */
function every(
  intervalMs: number,
  work: () => Promise<unknown>,
  report: AgentRuntimeDependencies['report'],
  failure: string,
): { stop(): Promise<void> } {
  let current: Promise<unknown> = Promise.resolve();
  let isBusy = false;
  const timer = setInterval(() => {
    if (isBusy) return;
    isBusy = true;
    current = work()
      .catch((error) => report(failure, error))
      .finally(() => {
        isBusy = false;
      });
  }, intervalMs);
  return {
    async stop() {
      clearInterval(timer);
      await current;
    },
  };
}
