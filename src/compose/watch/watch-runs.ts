import type { RunObserver } from '../../ports/run-observer.ts';
import type { RunQueue } from '../../ports/run-queue.ts';
import type { Metrics } from '../../telemetry/metrics.ts';
import { type Tracer, traced } from '../../telemetry/tracer.ts';

/** Counts and traces runs: an attempt is a trace of its own, linked to the call that set the run off. */
export function watchRuns(queue: RunQueue, metrics: Metrics, tracer: Tracer | null): RunObserver {
  metrics.gauge('service_run_jobs', async () => {
    const { waiting, active } = await queue.count();
    return [
      [['waiting'], waiting],
      [['active'], active],
    ];
  });
  return {
    cause: () => tracer?.current() ?? null,

    async attempt(run, work) {
      if (tracer === null) return work();
      const { id, agentId, triggerType, attempt } = run;
      const attributes = {
        'gen_ai.operation.name': 'invoke_agent',
        'service.run.id': id,
        'service.agent.id': agentId,
        'service.run.trigger': triggerType,
        'service.run.attempt': attempt,
      };
      // Runs that were stored before there were traces have none.
      const cause = run.traceParent ?? undefined;
      return traced(tracer, 'invoke_agent', { kind: 'consumer', attributes, cause }, work);
    },

    ended({ status, triggerType, startedAtMs, finishedAtMs }) {
      metrics.counter('service_runs_total', [status, triggerType]).value += 1;
      if (startedAtMs === null || finishedAtMs === null) return;
      const seconds = (finishedAtMs - startedAtMs) / 1_000;
      metrics.histogram('service_run_duration_seconds', [status]).observe(seconds);
    },
  };
}
