import type { ApiKey } from '../../src/domain/api-key.ts';
import { createApiKeyToken, hashApiKeyToken } from '../../src/domain/api-key-token.ts';
import type { Organization, User } from '../../src/domain/organization.ts';
import type { Store } from '../../src/ports/store.ts';
import { anOrganization } from '../contract/records.ts';

export const startMs = Date.UTC(2026, 4, 10, 12);
export const token = createApiKeyToken(new Uint8Array(48).fill(7));

const organization = anOrganization({ id: 'org-1', createdAtMs: startMs, updatedAtMs: startMs });

const actor: User = {
  id: 'user-1',
  organizationId: 'org-1',
  email: 'a@example.com',
  name: 'A',
  role: 'member',
  active: true,
  passwordHash: null,
  usageLimit: null,
  models: [],
  createdAtMs: startMs,
  updatedAtMs: startMs,
};

const apiKey: ApiKey = {
  id: 'key-1',
  organizationId: 'org-1',
  actorId: 'user-1',
  name: 'test',
  keyHash: hashApiKeyToken(token),
  hint: token.slice(-4),
  scopes: ['chat', 'pdf'],
  models: [],
  rateLimitPerHour: 1_000,
  tokenBudget: 5_000_000,
  expiresAtMs: null,
  revokedAtMs: null,
  lastUsedAtMs: null,
  createdAtMs: startMs,
  updatedAtMs: startMs,
};

/** Fills an empty store with one organization, one user and the key `token`, with the given differences. */
export async function seed(
  store: Store,
  differences: {
    readonly organization?: Partial<Organization>;
    readonly actor?: Partial<User>;
    readonly apiKey?: Partial<ApiKey>;
  } = {},
): Promise<void> {
  await store.organizations.create({ ...organization, ...differences.organization });
  await store.users.create({ ...actor, ...differences.actor });
  await store.apiKeys.create({ ...apiKey, ...differences.apiKey });
}
