import type { ConnectionTestResult } from '../../../src/ports/connection-tester.ts';
import type { RateCounter } from '../../../src/ports/counters.ts';
import type { ChatModel } from '../../../src/ports/model.ts';
import { systemRandom } from '../../../src/ports/random.ts';
import type { Store } from '../../../src/ports/store.ts';
import { createAesGcmSealer } from '../../../src/secrets/aes-gcm-sealer.ts';
import type { AccountDependencies } from '../../../src/services/accounts/account-dependencies.ts';
import {
  type AccountServices,
  createAccountServices,
} from '../../../src/services/accounts/account-services.ts';
import { openSqliteStore } from '../../../src/storage/sqlite/open-sqlite-store.ts';

export interface AccountHarness {
  readonly services: AccountServices;
  readonly deps: AccountDependencies;
  readonly store: Store;
  /** The time that the services see. */
  nowMs: number;
  /** What the connection tester answers. */
  testResult: ConnectionTestResult;
  /** Model ids that are configured. */
  models: readonly string[];
}

const model: Omit<ChatModel, 'id'> = {
  contextTokens: 8_000,
  completionTokens: 1_000,
  supportsTools: true,
  complete: () => {
    throw new Error('no test asks a model');
  },
};

/** Services over a store in memory; the caller closes the store. */
export function openAccounts(rateCounter?: RateCounter): AccountHarness {
  const store = openSqliteStore({ path: ':memory:' });
  const deps: AccountDependencies = {
    store,
    passwords: {
      hash: async (password) => `hash of ${password}`,
      verify: async (passwordHash, password) => passwordHash === `hash of ${password}`,
    },
    sealer: createAesGcmSealer([new Uint8Array(32)], systemRandom),
    connectionTester: { test: async () => harness.testResult },
    models: {
      list: async () => harness.models,
      find: (id) => ({ ...model, id }),
    },
    ...(rateCounter && { rateCounter }),
    clock: { now: () => harness.nowMs },
    random: systemRandom,
  };
  const harness: AccountHarness = {
    store,
    deps,
    services: createAccountServices(deps),
    nowMs: Date.UTC(2026, 4, 15, 12),
    testResult: { ok: true, detail: 'fine' },
    models: [],
  };
  return harness;
}

/** An organization with a user. */
export async function createPeople({ services }: AccountHarness) {
  const organization = await services.organizations.create({ name: 'Example' }, 'cli');
  const input = { organizationId: organization.id, email: 'ada@example.com', name: 'Ada' };
  return { organization, user: await services.users.create(input, 'cli') };
}

/** What a refused call named: `pointer detail`. */
export async function violationsOf(call: Promise<unknown>): Promise<string[]> {
  const error = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  const { slug, violations } = error as { slug: string; violations: { pointer: string; detail: string }[] };
  if (slug !== 'invalid_request') throw error ?? new Error('the call was not refused');
  return violations.map(({ pointer, detail }) => `${pointer} ${detail}`);
}
