import type { Run } from '../domain/run.ts';
import type { RunStatus, TriggerType } from '../domain/run-status.ts';

/**
 * The records of runs, which are the only truth about them.
 *
 * Invariants:
 * - At most one run has a given `activeAgentId`: an agent has at most one run that is queued or running.
 * - A run is replaced only over the revision that the new one was made from; of any number of callers who do so at
 *   once, one succeeds.
 * - Two runs of one agent never have the same `queuedAtMs`.
 */
export interface RunStore {
  /** @throws StoreConflict `id`, `activeAgentId` or `queuedAtMs` */
  create(run: Run): Promise<void>;
  get(id: string): Promise<Run | undefined>;
  /** Stores the run when the stored one has the revision before. */
  replace(run: Run): Promise<boolean>;
  /** Runs of an agent, the newest first. */
  list(agentId: string, page: RunPage): Promise<readonly Run[]>;
  /** The run of the agent that is queued or running. */
  findActive(agentId: string): Promise<Run | undefined>;
  /** Ids of runs whose `dueAtMs` is before the time, the longest due first. */
  listDue(beforeMs: number, limit: number): Promise<readonly string[]>;
}

export interface RunPage {
  readonly limit: number;
  /** Only those queued strictly before. */
  readonly beforeMs?: number;
  /** Empty: all. */
  readonly statuses: readonly RunStatus[];
  /** Empty: all. */
  readonly triggerTypes: readonly TriggerType[];
}
