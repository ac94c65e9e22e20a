import type { Organization } from '../../domain/organization.ts';
import type { Store } from '../../ports/store.ts';
import { organizationFields } from './collections.ts';
import type { Database } from './database.ts';
import { queries } from './queries.ts';
import { createRecordStore } from './record-store.ts';

export function openOrganizations(database: Database): Store['organizations'] {
  const records = createRecordStore<Organization>(database, {
    collection: 'organizations',
    fields: organizationFields,
    byId: queries.organization,
    list: (_, page) => queries.organizations(page),
  });
  return {
    ...records,
    isEmpty: async () => (await database.findOne(queries.anyOrganization())) === undefined,
  };
}
