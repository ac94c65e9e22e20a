import { ServiceError } from '../../domain/errors.ts';
import { sessionError } from '../../domain/session-errors.ts';
import type { Clock } from '../../ports/clock.ts';
import type { RateCounter } from '../../ports/counters.ts';
import type { PasswordHasher } from '../../ports/password-hasher.ts';
import type { Random } from '../../ports/random.ts';
import type { Store } from '../../ports/store.ts';

/** What sign-in and sessions need. */
export interface SessionDependencies {
  readonly store: Pick<Store, 'sessions' | 'users' | 'organizations'>;
  readonly passwords: PasswordHasher;
  /** Counts failed sign-ins of accounts and addresses. */
  readonly failureCounter: RateCounter;
  readonly clock: Clock;
  readonly random: Random;
  /** Told of failures that do not concern the caller, such as a use of a session that could not be noted. */
  readonly report: (message: string, cause: unknown) => void;
}

/** Runs a step of sign-in or of a session's check: what fails in it for a reason of the service's own is a 503. */
export async function orUnavailable<T>(step: () => Promise<T>): Promise<T> {
  try {
    return await step();
  } catch (cause) {
    throw cause instanceof ServiceError ? cause : sessionError('SESSIONS_UNAVAILABLE', { cause });
  }
}
