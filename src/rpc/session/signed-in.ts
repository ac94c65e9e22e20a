import { createContextKey, type HandlerContext } from '@connectrpc/connect';
import { sessionError } from '../../domain/session-errors.ts';
import type { SignedIn } from '../../services/session/authenticate-session.ts';

/** The session of a signed-in call. Set by the gate beside the user. */
export const signedInKey = createContextKey<SignedIn | undefined>(undefined, { description: 'session' });

/**
 * Returns the session that the gate let through.
 *
 * @throws ApiError 401 on a method that the gate does not guard
 */
export function signedInOf(context: Pick<HandlerContext, 'values'>): SignedIn {
  const signedIn = context.values.get(signedInKey);
  if (signedIn === undefined) throw sessionError('NOT_SIGNED_IN');
  return signedIn;
}
