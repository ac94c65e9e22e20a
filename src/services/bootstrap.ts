import { apiKeyHint, apiKeyTokenBytes, createApiKeyToken, hashApiKeyToken } from '../domain/api-key-token.ts';
import { limits } from '../domain/limits.ts';
import { operatorOrganizationId } from '../domain/operator.ts';
import { organizationDefaults } from '../domain/organization.ts';
import { scopes } from '../domain/scopes.ts';
import type { Clock } from '../ports/clock.ts';
import type { PasswordHasher } from '../ports/password-hasher.ts';
import type { Random } from '../ports/random.ts';
import { type Store, StoreConflict } from '../ports/store.ts';

/** The first records have fixed ids, so that of processes that start together only one can create each. */
const firstIds = {
  organization: operatorOrganizationId,
  administrator: '0193a000-0000-7000-8000-000000000002',
  apiKey: '0193a000-0000-7000-8000-000000000003',
} as const;

const administratorEmail = 'admin@localhost';

export interface BootstrapDependencies {
  readonly store: Pick<Store, 'organizations' | 'users' | 'apiKeys'>;
  readonly passwords: PasswordHasher;
  readonly clock: Clock;
  readonly random: Random;
}

/** What this process created, with the secrets that nobody can read again. */
export interface BootstrapResult {
  readonly organizationId: string;
  readonly administrator?: { readonly email: string; readonly password: string };
  readonly apiKey?: { readonly id: string; readonly key: string };
}

/**
 * Gives an empty store an organization, an administrator and a key with every scope, and returns what was created; on
 * any other store it changes nothing and returns undefined.
 *
 * Each of the three is created exactly once, also when several processes start together (each then returns what it
 * created itself), and what a killed start left out the next one adds.
 */
export async function bootstrap(deps: BootstrapDependencies): Promise<BootstrapResult | undefined> {
  const { store, clock } = deps;
  const isOurs = (await store.organizations.get(firstIds.organization)) !== undefined;
  if (!isOurs && !(await store.organizations.isEmpty())) return undefined;
  const now = clock.now();
  const organized = await createOnce(() => createOrganization(store, now));
  const administrator = (await store.users.get(firstIds.administrator))
    ? undefined
    : await createOnce(() => createAdministrator(deps, now));
  const apiKey = (await store.apiKeys.get(firstIds.apiKey))
    ? undefined
    : await createOnce(() => createApiKey(deps, now));
  if (organized === undefined && administrator === undefined && apiKey === undefined) return undefined;
  return {
    organizationId: firstIds.organization,
    ...(administrator === undefined ? {} : { administrator }),
    ...(apiKey === undefined ? {} : { apiKey }),
  };
}

async function createOnce<T>(create: () => Promise<T>): Promise<T | undefined> {
  try {
    return await create();
  } catch (error) {
    if (error instanceof StoreConflict) return undefined;
    throw error;
  }
}

async function createOrganization(store: BootstrapDependencies['store'], now: number): Promise<true> {
  await store.organizations.create({
    id: firstIds.organization,
    name: 'My organization',
    ...organizationDefaults,
    createdAtMs: now,
    updatedAtMs: now,
  });
  return true;
}

async function createAdministrator({ store, passwords, random }: BootstrapDependencies, now: number) {
  const password = Buffer.from(random.bytes(18)).toString('base64url');
  await store.users.create({
    id: firstIds.administrator,
    organizationId: firstIds.organization,
    email: administratorEmail,
    name: 'Administrator',
    role: 'admin',
    active: true,
    passwordHash: await passwords.hash(password),
    usageLimit: null,
    models: [],
    createdAtMs: now,
    updatedAtMs: now,
  });
  return { email: administratorEmail, password };
}

async function createApiKey({ store, random }: BootstrapDependencies, now: number) {
  const key = createApiKeyToken(random.bytes(apiKeyTokenBytes));
  await store.apiKeys.create({
    id: firstIds.apiKey,
    organizationId: firstIds.organization,
    actorId: firstIds.administrator,
    name: 'First key',
    keyHash: hashApiKeyToken(key),
    hint: apiKeyHint(key),
    scopes,
    models: [],
    rateLimitPerHour: limits.apiKey.rateLimitPerHourDefault,
    tokenBudget: limits.apiKey.tokenBudgetDefault,
    expiresAtMs: null,
    revokedAtMs: null,
    lastUsedAtMs: null,
    createdAtMs: now,
    updatedAtMs: now,
  });
  return { id: firstIds.apiKey, key };
}
