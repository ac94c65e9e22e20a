import { createContextKey, type HandlerContext } from '@connectrpc/connect';
import { ApiError } from '../domain/api-error.ts';
import type { User } from '../domain/organization.ts';

/** The signed-in user. Set by the gate on every call of a method for sessions. */
export const sessionUserKey = createContextKey<User | undefined>(undefined, { description: 'session user' });

/**
 * Returns the user that the gate let through.
 *
 * @throws ApiError 401 where nobody is signed in
 */
export function signedInUserOf(context: Pick<HandlerContext, 'values'>): User {
  const user = context.values.get(sessionUserKey);
  if (user !== undefined) return user;
  throw new ApiError({
    status: 401,
    grpc: 'UNAUTHENTICATED',
    reason: 'NOT_SIGNED_IN',
    message: 'Sign in first',
  });
}
