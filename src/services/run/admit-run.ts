import { type Agent, agentStatus } from '../../domain/agent.ts';
import type { Organization, User } from '../../domain/organization.ts';
import type { Run } from '../../domain/run.ts';
import type { SkipReason } from '../../domain/run-status.ts';
import type { RunDependencies } from './run-dependencies.ts';

/** With whom and for whom a run is about to start, or why it may not. */
export type Admitted =
  | {
      readonly agent: Agent;
      readonly owner: User;
      readonly organization: Organization;
      readonly refusal?: never;
    }
  | { readonly agent: Agent | undefined; readonly refusal: SkipReason };

/** Looks again, right before a run starts, at what may have changed since it was queued. */
export async function admitRun(
  { store, clock }: Pick<RunDependencies, 'store' | 'clock'>,
  run: Run,
): Promise<Admitted> {
  const [agent, owner, organization] = await Promise.all([
    store.agents.get(run.agentId),
    store.users.get(run.ownerId),
    store.organizations.get(run.organizationId),
  ]);
  if (agent === undefined || agent.deletedAtMs !== null) return { agent, refusal: 'agent_deleted' };
  if (organization === undefined || organization.suspended) {
    return { agent, refusal: 'organization_suspended' };
  }
  if (owner === undefined || !owner.active) return { agent, refusal: 'owner_inactive' };
  // What was begun is finished; only the owner's word stops that.
  if (run.attempt > 0) return { agent, owner, organization };
  const status = agentStatus(agent, clock.now());
  if (status === 'expired') return { agent, refusal: 'agent_expired' };
  if (status === 'paused' && run.triggerType !== 'manual') return { agent, refusal: 'agent_paused' };
  return { agent, owner, organization };
}
