import type { Agent } from '../../domain/agent.ts';
import { deliveriesOf, endRun, isFinal, type KeptPayload, queuedRun, type Run } from '../../domain/run.ts';
import type { SkipReason, TriggerType } from '../../domain/run-status.ts';
import { StoreConflict } from '../../ports/store.ts';
import type { RunDependencies } from './run-dependencies.ts';

export interface EnqueueRequest {
  readonly id: string;
  readonly triggerType: TriggerType;
  readonly payload?: KeptPayload | null;
  readonly payloadBytes?: number;
  /** The run is only noted, not run. */
  readonly skipReason?: SkipReason;
}

type EnqueueDependencies = Pick<RunDependencies, 'store' | 'queue' | 'clock' | 'report' | 'observer'>;

/**
 * Records a run, queued or, when the agent is at work, skipped, and then tells the queue. Returns undefined when the id
 * is that of a run that was recorded before.
 *
 * Once this resolves the run is not lost: a run whose job cannot be added now gets it from the sweep.
 */
export async function enqueueRun(
  deps: EnqueueDependencies,
  agent: Agent,
  request: EnqueueRequest,
): Promise<Run | undefined> {
  const run = await record(deps, agent, request);
  if (run !== undefined && run.dueAtMs !== null) {
    await deps.queue
      .add(run.id, run.dueAtMs)
      .catch((cause) => deps.report(`run ${run.id} waits for the sweep`, cause));
  }
  return run;
}

async function record(
  { store, clock, observer }: EnqueueDependencies,
  agent: Agent,
  request: EnqueueRequest,
): Promise<Run | undefined> {
  let { skipReason } = request;
  let queuedAtMs = clock.now();
  for (;;) {
    const queued = queuedRun({
      id: request.id,
      agentId: agent.id,
      organizationId: agent.organizationId,
      ownerId: agent.ownerId,
      triggerType: request.triggerType,
      queuedAtMs,
      payload: request.payload ?? null,
      payloadBytes: request.payloadBytes ?? 0,
      traceParent: observer?.cause() ?? null,
    });
    const run = skipReason === undefined ? queued : skipped(queued, agent, skipReason, clock.now());
    try {
      await store.runs.create(run);
      if (isFinal(run)) observer?.ended(run);
      return run;
    } catch (error) {
      if (!(error instanceof StoreConflict)) throw error;
      if (error.field === 'id') return undefined;
      if (error.field === 'activeAgentId') skipReason = 'already_running';
      else queuedAtMs += 1;
    }
  }
}

function skipped(run: Run, agent: Agent, skipReason: SkipReason, nowMs: number): Run {
  const end = { status: 'skipped', skipReason } as const;
  return endRun(run, { ...end, nowMs, deliveries: deliveriesOf(agent.notifications, end, nowMs) });
}
