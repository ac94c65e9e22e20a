import type { User } from '../../domain/organization.ts';
import { isExpired, passwordTag, type Session } from '../../domain/session.ts';
import { sessionError } from '../../domain/session-errors.ts';
import { csrfTokenOf, hashSessionToken, isSessionToken } from '../../domain/session-token.ts';
import type { SessionDependencies } from './session-dependencies.ts';

/** A user with the session that a call came in. */
export interface SignedIn {
  readonly user: User;
  readonly session: Session;
  /** What the cookie holds. */
  readonly token: string;
  /** What calls that change something must show besides. */
  readonly csrfToken: string;
}

/**
 * Returns who is signed in with a token. Everything is read afresh: a session ends with its time, with its user's
 * password, and when its user is not active any more; from then on it is gone.
 *
 * @throws ApiError 401, the same for every fault; 403 when the organization is suspended
 */
export async function authenticateSession(
  { store, clock, report }: Pick<SessionDependencies, 'store' | 'clock' | 'report'>,
  token: string | undefined,
): Promise<SignedIn> {
  if (token === undefined || !isSessionToken(token)) throw sessionError('NOT_SIGNED_IN');
  const session = await store.sessions.get(hashSessionToken(token));
  if (session === undefined) throw sessionError('NOT_SIGNED_IN');
  const user = await store.users.get(session.userId);
  if (user === undefined || isExpired(session, clock.now()) || !mayGoOn(user, session)) {
    await store.sessions.delete(session.id).catch((cause: unknown) => report('session not removed', cause));
    throw sessionError('NOT_SIGNED_IN');
  }
  const organization = await store.organizations.get(user.organizationId);
  if (organization === undefined || organization.suspended) throw sessionError('ORGANIZATION_SUSPENDED');
  return { user, session, token, csrfToken: csrfTokenOf(token) };
}

function mayGoOn({ active, passwordHash }: User, session: Session): boolean {
  return active && passwordHash !== null && passwordTag(passwordHash) === session.passwordTag;
}
