import { createContextKey, type HandlerContext } from '@connectrpc/connect';
import type { Principal } from '../domain/api-key.ts';
import { ServiceError } from '../domain/errors.ts';

/** The authenticated caller. Set by the gate on every call of a method that needs an API key. */
export const principalKey = createContextKey<Principal | undefined>(undefined, { description: 'principal' });

/** Tokens that the caller's key had used in its cycle when the gate looked. Set by the gate beside the principal. */
export const tokensUsedKey = createContextKey(0, { description: 'tokens used' });

/**
 * Returns the caller that the gate let through.
 *
 * @throws `missing_token` on a method that the gate does not guard
 */
export function callerOf(context: Pick<HandlerContext, 'values'>): Principal {
  const principal = context.values.get(principalKey);
  if (principal === undefined) throw new ServiceError('missing_token');
  return principal;
}
