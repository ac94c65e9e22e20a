import type { AuditEvent } from '../../domain/audit.ts';
import type { Page } from '../../ports/store.ts';
import { type AccountDependencies, newId } from './account-dependencies.ts';
import { checkedPage, type PageInput } from './page-rules.ts';

export type AuditEntry = Omit<AuditEvent, 'id' | 'createdAtMs'>;

/** Appends a change to the audit trail, after it was made. The changes must hold no secrets. */
export function recordChange(deps: AccountDependencies, entry: AuditEntry): Promise<void> {
  return deps.store.auditEvents.append({ id: newId(deps), createdAtMs: deps.clock.now(), ...entry });
}

export interface AuditService {
  /** The newest first. */
  list(filter: { organizationId?: string }, page: PageInput): Promise<Page<AuditEvent>>;
}

export function createAuditService({ store }: AccountDependencies): AuditService {
  return {
    list: async (filter, page) => store.auditEvents.list(filter, checkedPage(page)),
  };
}
