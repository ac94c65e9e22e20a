import { limits } from '../../domain/limits.ts';
import type { User } from '../../domain/organization.ts';
import { passwordTag, type Session } from '../../domain/session.ts';
import { sessionError } from '../../domain/session-errors.ts';
import {
  createSessionToken,
  csrfTokenOf,
  hashSessionToken,
  isSessionToken,
  sessionTokenBytes,
} from '../../domain/session-token.ts';
import { emailAddress } from '../accounts/account-rules.ts';
import { RuleFailure } from '../accounts/field-rules.ts';
import type { SignedIn } from './authenticate-session.ts';
import type { SessionDependencies } from './session-dependencies.ts';
import { createSignInLimits } from './sign-in-limits.ts';

export interface SignInAttempt {
  readonly email: string;
  readonly password: string;
  /** The client's address after trusted proxies. */
  readonly address: string;
  /** What the client's cookie holds; the session ends when another begins. */
  readonly previousToken: string | undefined;
}

export type SignIn = (attempt: SignInAttempt) => Promise<SignedIn>;

type UserWithPassword = User & { readonly passwordHash: string };

/**
 * Returns the function that signs users in.
 *
 * An unknown account, one that is not active, one without a password and a wrong password get the same answer after the
 * same work: one look-up and one verification, of a decoy where there is nothing to verify.
 */
export function createSignIn(deps: SessionDependencies): SignIn {
  const { store, passwords, clock, random, report } = deps;
  const failures = createSignInLimits(deps);
  const decoy = passwords.hash(Buffer.from(random.bytes(32)).toString('base64url'));
  // A failure shows at the first sign-in.
  decoy.catch(() => undefined);

  async function findUser(address: string | undefined): Promise<UserWithPassword | undefined> {
    const user = address === undefined ? undefined : await store.users.findByEmail(address);
    return user !== undefined && hasPassword(user) && user.active ? user : undefined;
  }

  async function verify(
    address: string | undefined,
    password: string,
  ): Promise<UserWithPassword | undefined> {
    const user = await findUser(address);
    const isRight = await passwords.verify(user?.passwordHash ?? (await decoy), password);
    return isRight ? user : undefined;
  }

  async function begin(user: UserWithPassword): Promise<SignedIn> {
    const token = createSessionToken(random.bytes(sessionTokenBytes));
    const now = clock.now();
    const session: Session = {
      id: hashSessionToken(token),
      userId: user.id,
      passwordTag: passwordTag(user.passwordHash),
      createdAtMs: now,
      lastUsedAtMs: now,
      expiresAtMs: now + limits.session.absoluteMs,
    };
    await store.sessions.create(session);
    return { user, session, token, csrfToken: csrfTokenOf(token) };
  }

  /** What is left over does no harm: it ends by itself. */
  async function tidy(userId: string): Promise<void> {
    await store.sessions.deleteOfUser(userId, limits.session.perUser);
    await store.sessions.forgetExpired(clock.now());
  }

  return async ({ email, password, address, previousToken }) => {
    const read = emailAddress(email);
    const known = read instanceof RuleFailure ? undefined : read;
    const user = await failures.attempt(known ?? email, address, () => verify(known, password));
    if (user === undefined) throw sessionError('SIGN_IN_FAILED');
    const organization = await store.organizations.get(user.organizationId);
    if (organization === undefined || organization.suspended) throw sessionError('ORGANIZATION_SUSPENDED');
    const signedIn = await begin(user);
    if (previousToken !== undefined && isSessionToken(previousToken)) {
      await store.sessions.delete(hashSessionToken(previousToken));
    }
    await tidy(user.id).catch((cause: unknown) => report('old sessions not removed', cause));
    return signedIn;
  };
}

function hasPassword(user: User): user is UserWithPassword {
  return user.passwordHash !== null;
}
