import type { ModelCatalog } from '../../ports/model.ts';
import type { Store } from '../../ports/store.ts';
import type { RunDependencies } from '../run/run-dependencies.ts';

/** What agents and the records of their runs need; nothing of it runs them. */
export interface AgentDependencies
  extends Pick<RunDependencies, 'queue' | 'sealer' | 'clock' | 'random' | 'report' | 'observer'> {
  readonly store: RunDependencies['store'] & Pick<Store, 'auditEvents'>;
  /** Whether mail can be sent: without it no agent may ask for it. */
  readonly hasMailServer: boolean;
  /** A model that is set must be one of these; where there are none, any id is taken. */
  readonly models: Pick<ModelCatalog, 'list' | 'find'>;
}

/** Whose agents a caller sees. */
export interface AgentAccess {
  /** Null: everybody's, as an administrator. */
  readonly ownerId: string | null;
  /** The caller for the audit trail: a user id or `cli`. */
  readonly by: string;
}
