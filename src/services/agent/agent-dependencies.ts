import type { ModelCatalog } from '../../ports/model.ts';
import type { Store } from '../../ports/store.ts';
import type { RunDependencies } from '../run/run-dependencies.ts';

export interface AgentDependencies extends RunDependencies {
  readonly store: RunDependencies['store'] & Pick<Store, 'auditEvents'>;
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
