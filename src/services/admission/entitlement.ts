import type { Principal } from '../../domain/api-key.ts';
import { ServiceError } from '../../domain/errors.ts';

/**
 * Holds a caller against its actor, organization and subscription. Returns undefined when it is entitled, else
 * `key_actor_revoked`, `org_suspended`, `subscription_required` or `trial_no_api_access`.
 */
export function entitlementRefusal({ actor, organization }: Principal): ServiceError | undefined {
  if (!actor.active) return new ServiceError('key_actor_revoked');
  if (organization.suspended) return new ServiceError('org_suspended');
  if (organization.subscription !== 'active') return new ServiceError('subscription_required');
  if (organization.trial) return new ServiceError('trial_no_api_access');
  return undefined;
}
