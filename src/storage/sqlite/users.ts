import type { User } from '../../domain/organization.ts';
import type { Store } from '../../ports/store.ts';
import type { Database } from './database.ts';
import type { PrincipalCache } from './principal-cache.ts';
import { createRecordStore, parseDocument } from './record-store.ts';

export function openUsers(database: Database, principals: PrincipalCache): Store['users'] {
  const records = createRecordStore<User, { organizationId?: string }>(database, {
    table: 'users',
    filters: { organizationId: 'organization_id' },
    onChange: principals.clear,
  });
  const byEmail = database.prepare('SELECT document FROM users WHERE email = ?');
  return { ...records, findByEmail: async (email) => parseDocument<User>(byEmail.get(email)) };
}
