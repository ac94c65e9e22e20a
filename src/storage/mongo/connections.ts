import type { Connection } from '../../domain/connection.ts';
import type { Store } from '../../ports/store.ts';
import { connectionFields } from './collections.ts';
import type { Database } from './database.ts';
import { queries } from './queries.ts';
import { createRecordStore } from './record-store.ts';

export function openConnections(database: Database): Store['connections'] {
  return createRecordStore<Connection, { organizationId?: string; actorId?: string }>(database, {
    collection: 'connections',
    fields: connectionFields,
    byId: queries.connection,
    list({ organizationId, actorId }, page) {
      const inOrganization = organizationId !== undefined && { organizationId };
      if (actorId !== undefined) return queries.connectionsOfActor({ actorId, ...inOrganization }, page);
      if (organizationId !== undefined) return queries.connectionsOfOrganization(organizationId, page);
      return queries.connections(page);
    },
  });
}
