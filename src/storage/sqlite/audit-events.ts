import type { AuditEvent } from '../../domain/audit.ts';
import type { AuditLog } from '../../ports/store.ts';
import type { Database } from './database.ts';
import { createRecordStore } from './record-store.ts';

export function openAuditEvents(database: Database): AuditLog {
  const records = createRecordStore<AuditEvent, { organizationId?: string }>(database, {
    table: 'audit_events',
    filters: { organizationId: 'organization_id' },
    order: 'DESC',
  });
  return { append: records.create, list: records.list };
}
