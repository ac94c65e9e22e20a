import type { AuditEvent } from '../../domain/audit.ts';
import type { Page } from '../../ports/page.ts';
import type { Store } from '../../ports/store.ts';
import { type AccountDependencies, newId } from './account-dependencies.ts';
import { jsonNameOf } from './field-rules.ts';
import { checkedPage, type PageInput } from './page-rules.ts';

export type AuditEntry = Omit<AuditEvent, 'id' | 'createdAtMs'>;

/**
 * Appends a change to the audit trail, after it was made. The changes must hold no secrets; they are kept under the
 * names and in the forms of the API: `expiresAtMs` as `expires_at` in ISO 8601.
 */
export function recordChange(
  deps: Pick<AccountDependencies, 'clock' | 'random'> & { readonly store: Pick<Store, 'auditEvents'> },
  entry: AuditEntry,
): Promise<void> {
  const changes = Object.entries(entry.changes).map(([field, value]) => [
    jsonNameOf(field),
    field.endsWith('Ms') && typeof value === 'number' ? new Date(value).toISOString() : value,
  ]);
  return deps.store.auditEvents.append({
    ...entry,
    id: newId(deps),
    createdAtMs: deps.clock.now(),
    changes: Object.fromEntries(changes),
  });
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
