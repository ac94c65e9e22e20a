import { agentStatus } from '../../domain/agent.ts';
import { ServiceError } from '../../domain/errors.ts';
import { createId } from '../../domain/id.ts';
import { limits } from '../../domain/limits.ts';
import type { Run } from '../../domain/run.ts';
import { type RunStatus, runTransitions, type TriggerType } from '../../domain/run-status.ts';
import { webhookError } from '../../domain/webhook-errors.ts';
import { readFields, wholeNumber } from '../accounts/field-rules.ts';
import type { AgentAccess, AgentDependencies } from '../agent/agent-dependencies.ts';
import { findAgent } from '../agent/change-agent.ts';
import { requestCancel } from './cancel-run.ts';
import { enqueueRun } from './enqueue-run.ts';
import { type RunWatchEvent, watchRun } from './watch-run.ts';

export interface RunListInput {
  /** 1 to 100; 25 unless given. */
  readonly limit?: number;
  /** Only runs queued strictly before this, Unix milliseconds. */
  readonly beforeMs?: number;
  readonly statuses?: readonly RunStatus[];
  readonly triggerTypes?: readonly TriggerType[];
  /** Lists skipped runs too; naming the status does so as well. */
  readonly includeSkipped?: boolean;
}

export interface RunListing {
  /** The newest first. */
  readonly data: readonly Run[];
  readonly hasMore: boolean;
}

export interface RunService {
  /**
   * Queues a run by hand, also of a paused agent. Returns it as queued, or as skipped when the agent is at work.
   *
   * @throws `not_found`; ApiError 403 for a suspended organization, 400 for an expired agent
   */
  run(agentId: string, access: AgentAccess): Promise<Run>;
  /** @throws `not_found`, `invalid_request` */
  list(agentId: string, input: RunListInput, access: AgentAccess): Promise<RunListing>;
  /** @throws `not_found` */
  get(agentId: string, id: string, access: AgentAccess): Promise<Run>;
  /** Returns the run as it stands; a running one ends soon. @throws `not_found` */
  cancel(agentId: string, id: string, access: AgentAccess): Promise<Run>;
  /** Follows a run until it ends. @throws `not_found` */
  watch(agentId: string, id: string, access: AgentAccess, signal: AbortSignal): AsyncGenerator<RunWatchEvent>;
}

const allButSkipped = (Object.keys(runTransitions) as RunStatus[]).filter((status) => status !== 'skipped');

export function createRunService(deps: AgentDependencies): RunService {
  const { store, clock, random } = deps;

  async function get(agentId: string, id: string, access: AgentAccess): Promise<Run> {
    // To administrators the runs of a deleted agent stay readable.
    if (access.ownerId !== null) await findAgent(deps, agentId, access);
    const run = await store.runs.get(id);
    if (run?.agentId === agentId) return run;
    throw new ServiceError('not_found', { detail: 'There is no such run.' });
  }

  return {
    async run(agentId, access) {
      const agent = await findAgent(deps, agentId, access);
      const organization = await store.organizations.get(agent.organizationId);
      if (organization === undefined || organization.suspended) throw webhookError('ORGANIZATION_SUSPENDED');
      const nowMs = clock.now();
      if (agentStatus(agent, nowMs) === 'expired') throw webhookError('AGENT_EXPIRED');
      const id = createId(nowMs, random.bytes(10));
      const run = await enqueueRun(deps, agent, { id, triggerType: 'manual' });
      if (run === undefined) throw new ServiceError('internal_error', { cause: `run id ${id} is taken` });
      return run;
    },

    async list(agentId, input, access) {
      if (access.ownerId !== null) await findAgent(deps, agentId, access);
      const { limit = limits.agent.pageSizeDefault, beforeMs, statuses = [], triggerTypes = [] } = input;
      readFields({ limit: wholeNumber(1, limits.agent.pageSizeMax) }, { limit });
      const isAll = statuses.length === 0 && input.includeSkipped === true;
      const data = await store.runs.list(agentId, {
        limit: limit + 1,
        ...(beforeMs !== undefined && { beforeMs }),
        statuses: isAll || statuses.length > 0 ? statuses : allButSkipped,
        triggerTypes,
      });
      return { data: data.slice(0, limit), hasMore: data.length > limit };
    },

    get,

    async cancel(agentId, id, access) {
      const run = await get(agentId, id, access);
      return (await requestCancel(deps, run.id)) ?? run;
    },

    async *watch(agentId, id, access, signal) {
      const run = await get(agentId, id, access);
      yield* watchRun(store.runs, run, signal);
    },
  };
}
