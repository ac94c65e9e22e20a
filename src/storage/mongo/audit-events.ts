import type { AuditEvent } from '../../domain/audit.ts';
import type { AuditLog } from '../../ports/store.ts';
import { auditEventFields } from './collections.ts';
import type { Database } from './database.ts';
import { queries } from './queries.ts';
import { createRecordStore } from './record-store.ts';

export function openAuditEvents(database: Database): AuditLog {
  const records = createRecordStore<AuditEvent, { organizationId?: string }>(database, {
    collection: 'audit_events',
    fields: auditEventFields,
    byId: queries.auditEvent,
    list: ({ organizationId }, page) =>
      organizationId === undefined
        ? queries.auditEvents(page)
        : queries.auditEventsOfOrganization(organizationId, page),
  });
  return { append: records.create, list: records.list };
}
