import { createHash } from 'node:crypto';
import { type Agent, agentStatus } from '../../domain/agent.ts';
import { limits } from '../../domain/limits.ts';
import type { SkipReason } from '../../domain/run-status.ts';
import { decideDue } from '../../domain/schedule.ts';
import type { AgentDependencies } from '../agent/agent-dependencies.ts';
import { enqueueRun } from '../run/enqueue-run.ts';

const batchSize = 100;

/**
 * Queues a run for every agent whose schedule is due, and sets when it is next due. Returns how many agents were due.
 *
 * The run comes first, under an id that follows from agent and time: of any number of schedulers, and after a crash
 * between the two steps, exactly one run is recorded.
 */
export async function runSchedules(deps: AgentDependencies): Promise<number> {
  const nowMs = deps.clock.now();
  let count = 0;
  for (;;) {
    const due = await deps.store.agents.listDue(nowMs, batchSize);
    const handled = await Promise.all(due.map((agent) => runSchedule(deps, agent, nowMs)));
    count += handled.filter(Boolean).length;
    // An agent that cannot be handled now stays due; the others must not wait behind it for ever.
    if (due.length < batchSize || !handled.some(Boolean)) return count;
  }
}

async function runSchedule(deps: AgentDependencies, agent: Agent, nowMs: number): Promise<boolean> {
  try {
    const { schedule, timezone, nextRunAtMs } = agent;
    const isActive = agent.deletedAtMs === null && agentStatus(agent, nowMs) === 'active';
    if (schedule === null || nextRunAtMs === null || !isActive) return await setNextRun(deps, agent, null);
    const { catchUpWindowMs } = limits.agent;
    const decision = decideDue({ cron: schedule, timezone }, nextRunAtMs, nowMs, catchUpWindowMs);
    const skipReason = decision.isMissed ? 'missed' : await reasonNotToRun(deps, agent);
    await enqueueRun(deps, agent, {
      id: scheduledRunId(agent.id, decision.dueMs),
      triggerType: 'schedule',
      ...(skipReason !== undefined && { skipReason }),
    });
    return await setNextRun(deps, agent, decision.nextMs);
  } catch (error) {
    deps.report(`the schedule of agent ${agent.id} could not be followed`, error);
    return false;
  }
}

async function reasonNotToRun({ store }: AgentDependencies, agent: Agent): Promise<SkipReason | undefined> {
  const organization = await store.organizations.get(agent.organizationId);
  return organization?.suspended === false ? undefined : 'organization_suspended';
}

/** True also when somebody else has changed the agent meanwhile: it is then looked at again. */
async function setNextRun({ store }: AgentDependencies, agent: Agent, nextRunAtMs: number | null) {
  await store.agents.replace({ ...agent, nextRunAtMs, revision: agent.revision + 1 });
  return true;
}

/** Returns the id of the run of an agent for a time: a UUID of version 8 (RFC 9562 section 5.8). */
export function scheduledRunId(agentId: string, dueMs: number): string {
  const hex = createHash('sha256').update(`schedule ${agentId} ${dueMs}`).digest('hex');
  const variant = '89ab'[Number.parseInt(hex[16] ?? '0', 16) % 4];
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `${variant}${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join('-');
}
