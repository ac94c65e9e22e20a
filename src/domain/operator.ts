import type { User } from './organization.ts';

/**
 * Id of the organization that runs the service: the one that the first start creates. It is fixed, so that no other
 * can become it; a store that was begun by the command line has none.
 */
export const operatorOrganizationId = '0193a000-0000-7000-8000-000000000001';

/** Says whether a user administers the whole service; other administrators have their own organization alone. */
export function isOperator({ role, organizationId }: Pick<User, 'role' | 'organizationId'>): boolean {
  return role === 'admin' && organizationId === operatorOrganizationId;
}
