import type { Organization, User } from './organization.ts';
import type { Scope } from './scopes.ts';

/** The record of an API key; the key itself is stored nowhere. Times are Unix milliseconds. */
export interface ApiKey {
  readonly id: string;
  readonly organizationId: string;
  /** User on whose behalf the key acts. */
  readonly actorId: string;
  readonly name: string;
  /** SHA-256 of the key, hexadecimal. */
  readonly keyHash: string;
  /** The last 4 characters of the key. */
  readonly hint: string;
  readonly scopes: readonly Scope[];
  /** Model ids, the default first; empty: every model of the organization. */
  readonly models: readonly string[];
  readonly rateLimitPerHour: number;
  /** Tokens a cycle; null: no budget. */
  readonly tokenBudget: number | null;
  readonly expiresAtMs: number | null;
  readonly revokedAtMs: number | null;
  /** To the minute. */
  readonly lastUsedAtMs: number | null;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
}

/** Who calls: a key with its actor and organization, as the store held them when the call came in. */
export interface Principal {
  readonly apiKey: ApiKey;
  readonly actor: User;
  readonly organization: Organization;
}
