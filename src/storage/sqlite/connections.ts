import type { Connection } from '../../domain/connection.ts';
import type { Store } from '../../ports/store.ts';
import type { Database } from './database.ts';
import { createRecordStore } from './record-store.ts';

export function openConnections(database: Database): Store['connections'] {
  return createRecordStore<Connection, { organizationId?: string; actorId?: string }>(database, {
    table: 'connections',
    filters: { organizationId: 'organization_id', actorId: 'actor_id' },
  });
}
