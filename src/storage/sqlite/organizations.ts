import type { Organization } from '../../domain/organization.ts';
import type { Store } from '../../ports/store.ts';
import type { Database } from './database.ts';
import type { PrincipalCache } from './principal-cache.ts';
import { createRecordStore } from './record-store.ts';

export function openOrganizations(database: Database, principals: PrincipalCache): Store['organizations'] {
  const records = createRecordStore<Organization>(database, {
    table: 'organizations',
    filters: {},
    onChange: principals.clear,
  });
  const first = database.prepare('SELECT 1 FROM organizations LIMIT 1');
  return { ...records, isEmpty: async () => first.get() === undefined };
}
