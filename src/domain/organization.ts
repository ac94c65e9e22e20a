export const chatModes = ['auto', 'technical', 'simple'] as const;
export type ChatMode = (typeof chatModes)[number];

export type UsageUnit = 'requests' | 'tokens';
export type UsageWindow = 'hour' | 'day' | 'month';

/** At most `limit` of `unit` in each calendar `window` (UTC). */
export interface UsageLimit {
  readonly unit: UsageUnit;
  readonly limit: number;
  readonly window: UsageWindow;
}

/** In place of a pinned site's address: the sample tracker, wiki and mailbox that come with the service. */
export const sampleSite = 'demo';

/** A customer of the service. Times are Unix milliseconds. */
export interface Organization {
  readonly id: string;
  readonly name: string;
  /** Model ids that it may use; empty: every configured model. */
  readonly models: readonly string[];
  readonly subscription: 'active' | 'none';
  readonly trial: boolean;
  readonly suspended: boolean;
  /** Overrides the caller's mode. */
  readonly pinnedMode: ChatMode | null;
  /** Tokens a cycle for all keys together; null: no pool. */
  readonly tokenPool: number | null;
  /** Day of the month on which the budget cycle starts, 1 to 31; clamped in short months. */
  readonly poolResetDay: number;
  /** Shared by all actors. */
  readonly usagePool: UsageLimit | null;
  /** Address of the issue tracker that its tools may reach, or `demo`; null: none. */
  readonly trackerSite: string | null;
  readonly trackerWrites: boolean;
  /** Likewise of the wiki. */
  readonly wikiSite: string | null;
  readonly wikiWrites: boolean;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
}

/** What a new organization has unless it is said otherwise: an active subscription and no limits of its own. */
export const organizationDefaults = {
  models: [],
  subscription: 'active',
  trial: false,
  suspended: false,
  pinnedMode: null,
  tokenPool: null,
  poolResetDay: 1,
  usagePool: null,
  trackerSite: null,
  trackerWrites: false,
  wikiSite: null,
  wikiWrites: false,
} as const satisfies Partial<Organization>;

/** A person or a bot on whose behalf keys and agents act. */
export interface User {
  readonly id: string;
  readonly organizationId: string;
  /** Lower case, unique over all organizations. */
  readonly email: string;
  readonly name: string;
  readonly role: 'admin' | 'member';
  readonly active: boolean;
  /** argon2id in PHC form; null: cannot sign in. */
  readonly passwordHash: string | null;
  readonly usageLimit: UsageLimit | null;
  /** Model ids that the user may use; empty: no own limit. */
  readonly models: readonly string[];
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
}
