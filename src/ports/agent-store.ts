import type { Agent } from '../domain/agent.ts';
import type { Page, PageRequest } from './page.ts';

/**
 * The records of agents, deleted ones included.
 *
 * Invariants:
 * - An agent is replaced only over the revision that the new one was made from; of any number of callers who do so at
 *   once, one succeeds.
 * - Two agents of one owner never have the same time of creation.
 */
export interface AgentStore {
  /** @throws StoreConflict `id` or `createdAtMs` */
  create(agent: Agent): Promise<void>;
  get(id: string): Promise<Agent | undefined>;
  /** Stores the agent when the stored one has the revision before. */
  replace(agent: Agent): Promise<boolean>;
  /** Without deleted ones, the newest first. */
  list(filter: AgentFilter, page: PageRequest): Promise<Page<Agent>>;
  /** Those whose `nextRunAtMs` is at or before the time, the longest due first. */
  listDue(nowMs: number, limit: number): Promise<readonly Agent[]>;
}

export interface AgentFilter {
  readonly ownerId?: string;
  readonly organizationId?: string;
}
