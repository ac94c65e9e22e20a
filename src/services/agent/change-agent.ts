import type { Agent } from '../../domain/agent.ts';
import { ServiceError } from '../../domain/errors.ts';
import { createId } from '../../domain/id.ts';
import type { Store } from '../../ports/store.ts';
import type { AgentAccess, AgentDependencies } from './agent-dependencies.ts';

interface ChangeDependencies extends Pick<AgentDependencies, 'clock' | 'random'> {
  readonly store: Pick<Store, 'agents' | 'auditEvents'>;
}

/**
 * Returns an agent that the caller may see.
 *
 * @throws `not_found`, also for a deleted one
 */
export async function findAgent(
  { store }: Pick<ChangeDependencies, 'store'>,
  id: string,
  { ownerId }: AgentAccess,
): Promise<Agent> {
  const agent = await store.agents.get(id);
  const isVisible = agent?.deletedAtMs === null && (ownerId === null || agent.ownerId === ownerId);
  if (agent === undefined || !isVisible) {
    throw new ServiceError('not_found', { detail: 'There is no such agent.' });
  }
  return agent;
}

type Fields = Partial<Omit<Agent, 'id' | 'revision' | 'createdAtMs' | 'updatedAtMs'>>;

const attemptsMax = 20;

/**
 * Changes an agent and notes it in the audit trail. `change` is asked again when another change came first.
 *
 * @param changes what the trail says; no secrets
 * @throws `not_found`
 */
export async function changeAgent(
  deps: ChangeDependencies,
  id: string,
  access: AgentAccess,
  action: string,
  change: (agent: Agent) => Fields,
  changes: Readonly<Record<string, unknown>> = {},
): Promise<Agent> {
  for (let attempt = 0; attempt < attemptsMax; attempt += 1) {
    const present = await findAgent(deps, id, access);
    const agent: Agent = {
      ...present,
      ...change(present),
      revision: present.revision + 1,
      updatedAtMs: deps.clock.now(),
    };
    if (await deps.store.agents.replace(agent)) {
      await recordAgentChange(deps, agent, access, action, changes);
      return agent;
    }
  }
  throw new Error(`agent ${id} is changed by too many at once`);
}

export function recordAgentChange(
  { store, clock, random }: ChangeDependencies,
  agent: Agent,
  { by }: AgentAccess,
  action: string,
  changes: Readonly<Record<string, unknown>>,
): Promise<void> {
  const createdAtMs = clock.now();
  return store.auditEvents.append({
    id: createId(createdAtMs, random.bytes(10)),
    createdAtMs,
    actor: by,
    organizationId: agent.organizationId,
    action: `agent.${action}`,
    subjectType: 'agent',
    subjectId: agent.id,
    changes,
  });
}
