import { limits } from '../../domain/limits.ts';
import type { Session } from '../../domain/session.ts';
import { authenticateSession, type SignedIn } from './authenticate-session.ts';
import { orUnavailable, type SessionDependencies } from './session-dependencies.ts';
import { createSignIn, type SignInAttempt } from './sign-in.ts';

export interface SessionService {
  /**
   * Begins a session with a fresh token and ends the one that the client had.
   *
   * @throws ApiError 401, the same for every fault; 403 when the organization is suspended; 429 after too many failures;
   * 503 when it cannot be decided
   */
  signIn(attempt: SignInAttempt): Promise<SignedIn>;
  /** Returns who is signed in with a token. @throws ApiError 401, 403 when the organization is suspended, 503 */
  authenticate(token: string | undefined): Promise<SignedIn>;
  /** Notes that a session is used, so that it does not end by idling; at most one write a minute. */
  noteUse(session: Session): void;
  /** Signs out. @throws ApiError 503 */
  end(session: Session): Promise<void>;
  /** Signs the user out everywhere. @throws ApiError 503 */
  endAll(userId: string): Promise<void>;
}

export function createSessionService(deps: SessionDependencies): SessionService {
  const { store, clock, report } = deps;
  const signIn = createSignIn(deps);
  return {
    signIn: (attempt) => orUnavailable(() => signIn(attempt)),
    authenticate: (token) => orUnavailable(() => authenticateSession(deps, token)),
    noteUse({ id, lastUsedAtMs }) {
      const now = clock.now();
      if (now - lastUsedAtMs < limits.session.useNotedEveryMs) return;
      store.sessions.touch(id, now).catch((cause: unknown) => report('use of a session not noted', cause));
    },
    end: ({ id }) =>
      orUnavailable(async () => {
        await store.sessions.delete(id);
      }),
    endAll: (userId) => orUnavailable(() => store.sessions.deleteOfUser(userId, 0)),
  };
}
