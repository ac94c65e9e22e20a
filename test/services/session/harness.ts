import { createMemoryRateCounter } from '../../../src/counters/memory/rate-counter.ts';
import type { Organization, User } from '../../../src/domain/organization.ts';
import { systemRandom } from '../../../src/ports/random.ts';
import type { Store } from '../../../src/ports/store.ts';
import type { SessionDependencies } from '../../../src/services/session/session-dependencies.ts';
import { createSessionService, type SessionService } from '../../../src/services/session/session-service.ts';
import { openSqliteStore } from '../../../src/storage/sqlite/open-sqlite-store.ts';
import { anOrganization, aUser } from '../../contract/records.ts';

export const password = 'correct horse battery';

export interface SessionHarness {
  readonly store: Store;
  readonly deps: SessionDependencies;
  readonly sessions: SessionService;
  /** The time that the service sees. */
  nowMs: number;
  /** Calls of the hasher since the harness was opened, the decoy's among them. */
  readonly hasher: { hashes: number; verifications: [passwordHash: string, password: string][] };
  readonly reports: string[];
  signIn(
    email?: string,
    secret?: string,
    more?: { address?: string; previousToken?: string },
  ): ReturnType<SessionService['signIn']>;
}

/** Sessions over a store in memory with one user, `user-1@example.com`; the caller closes the store. */
export async function openSessions(
  overrides: Partial<SessionDependencies> = {},
  differences: { user?: Partial<User>; organization?: Partial<Organization> } = {},
): Promise<SessionHarness> {
  const store = openSqliteStore({ path: ':memory:' });
  await store.organizations.create(anOrganization(differences.organization));
  await store.users.create(aUser({ passwordHash: `salt 1 of ${password}`, ...differences.user }));
  const hasher: SessionHarness['hasher'] = { hashes: 0, verifications: [] };
  const reports: string[] = [];
  const deps: SessionDependencies = {
    store,
    passwords: {
      async hash(secret) {
        hasher.hashes += 1;
        return `decoy of ${secret}`;
      },
      async verify(passwordHash, secret) {
        hasher.verifications.push([passwordHash, secret]);
        return passwordHash.endsWith(` of ${secret}`);
      },
    },
    failureCounter: createMemoryRateCounter(),
    clock: { now: () => harness.nowMs },
    random: systemRandom,
    report: (message) => void reports.push(message),
    ...overrides,
  };
  const sessions = createSessionService(deps);
  const harness: SessionHarness = {
    store,
    deps,
    sessions,
    nowMs: Date.UTC(2026, 4, 15, 12),
    hasher,
    reports,
    signIn: (email = 'user-1@example.com', secret = password, more = {}) =>
      sessions.signIn({
        email,
        password: secret,
        address: more.address ?? '192.0.2.1',
        previousToken: more.previousToken,
      }),
  };
  return harness;
}

/** What a refused call answers: everything that its caller can see. */
export async function refusalOf(call: Promise<unknown>) {
  const error = await call.then(
    () => undefined,
    (reason: unknown) => reason as Record<string, unknown>,
  );
  if (error?.reason === undefined) throw error ?? new Error('the call was not refused');
  const { status, reason, grpc, detail, title, retryAfterSeconds, extra } = error;
  return { status, reason, grpc, detail, title, retryAfterSeconds, extra };
}
