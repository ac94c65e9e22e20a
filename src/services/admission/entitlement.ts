import type { Principal } from '../../domain/api-key.ts';
import { ServiceError } from '../../domain/errors.ts';

/**
 * Holds a caller against its actor, organization and subscription.
 *
 * @throws `key_actor_revoked`, `org_suspended`, `subscription_required`, `trial_no_api_access`
 */
export function checkEntitlement({ actor, organization }: Principal): void {
  if (!actor.active) throw new ServiceError('key_actor_revoked');
  if (organization.suspended) throw new ServiceError('org_suspended');
  if (organization.subscription !== 'active') throw new ServiceError('subscription_required');
  if (organization.trial) throw new ServiceError('trial_no_api_access');
}
