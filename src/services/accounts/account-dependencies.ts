import { createId } from '../../domain/id.ts';
import type { Clock } from '../../ports/clock.ts';
import type { ConnectionTester } from '../../ports/connection-tester.ts';
import type { RateCounter } from '../../ports/counters.ts';
import type { ModelCatalog } from '../../ports/model.ts';
import type { PasswordHasher } from '../../ports/password-hasher.ts';
import type { Random } from '../../ports/random.ts';
import type { Sealer } from '../../ports/sealer.ts';
import type { Store } from '../../ports/store.ts';

/** What administration needs. */
export interface AccountDependencies {
  readonly store: Pick<
    Store,
    'organizations' | 'users' | 'sessions' | 'apiKeys' | 'connections' | 'auditEvents' | 'ledger'
  >;
  readonly passwords: PasswordHasher;
  readonly sealer: Sealer;
  readonly connectionTester: ConnectionTester;
  /** A model that is set must be one of these; where there are none, any id is taken. */
  readonly models: Pick<ModelCatalog, 'list' | 'find'>;
  /** The counter of the keys' hours; absent where it is another process's. */
  readonly rateCounter?: RateCounter;
  readonly clock: Clock;
  readonly random: Random;
}

/** Returns a fresh id. */
export function newId({ clock, random }: Pick<AccountDependencies, 'clock' | 'random'>): string {
  return createId(clock.now(), random.bytes(10));
}
