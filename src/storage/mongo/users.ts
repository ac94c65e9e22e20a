import type { User } from '../../domain/organization.ts';
import type { Store } from '../../ports/store.ts';
import { userFields } from './collections.ts';
import type { Database } from './database.ts';
import { fromDocument } from './fields.ts';
import { queries } from './queries.ts';
import { createRecordStore } from './record-store.ts';

export function openUsers(database: Database): Store['users'] {
  const records = createRecordStore<User, { organizationId?: string }>(database, {
    collection: 'users',
    fields: userFields,
    byId: queries.user,
    list: ({ organizationId }, page) =>
      organizationId === undefined ? queries.users(page) : queries.usersOfOrganization(organizationId, page),
  });
  return {
    ...records,
    async findByEmail(email) {
      const document = await database.findOne(queries.userByEmail(email));
      return document && fromDocument(userFields, document);
    },
  };
}
