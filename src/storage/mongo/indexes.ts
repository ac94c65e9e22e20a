import type { CollectionName } from './collections.ts';

/** An index beside the one on `_id` that every collection has. */
export interface Index {
  readonly collection: CollectionName;
  readonly name: string;
  /** In order; 1 ascending, -1 descending. */
  readonly keys: Readonly<Record<string, 1 | -1>>;
  /** The field that is taken when the index refuses a document as a duplicate; absent: not unique. */
  readonly uniqueFor?: string;
  /** Holds only documents that have one of the keys. */
  readonly sparse?: true;
  /** Documents may be removed so long after the date in the key; seconds. */
  readonly expireAfterSeconds?: number;
}

/** Margin by which the server's clock may be ahead of the service's before it removes what still holds. */
const clockMarginSeconds = 3_600;

/**
 * Every index. None is partial: what must be unique only at times is a field that is there only then, under a sparse
 * index, which all servers have.
 */
export const indexes: readonly Index[] = [
  { collection: 'organizations', name: 'organizations_by_creation', keys: { createdAtMs: 1, _id: 1 } },

  { collection: 'users', name: 'users_by_email', keys: { email: 1 }, uniqueFor: 'email' },
  { collection: 'users', name: 'users_by_creation', keys: { createdAtMs: 1, _id: 1 } },
  { collection: 'users', name: 'users_by_organization', keys: { organizationId: 1, createdAtMs: 1, _id: 1 } },

  { collection: 'sessions', name: 'sessions_by_user', keys: { userId: 1, createdAtMs: -1, _id: -1 } },
  {
    collection: 'sessions',
    name: 'sessions_by_end',
    keys: { expireAt: 1 },
    expireAfterSeconds: clockMarginSeconds,
  },

  { collection: 'api_keys', name: 'api_keys_by_key_hash', keys: { keyHash: 1 }, uniqueFor: 'keyHash' },
  { collection: 'api_keys', name: 'api_keys_by_creation', keys: { createdAtMs: 1, _id: 1 } },
  {
    collection: 'api_keys',
    name: 'api_keys_by_organization',
    keys: { organizationId: 1, createdAtMs: 1, _id: 1 },
  },

  { collection: 'connections', name: 'connections_by_creation', keys: { createdAtMs: 1, _id: 1 } },
  {
    collection: 'connections',
    name: 'connections_by_organization',
    keys: { organizationId: 1, createdAtMs: 1, _id: 1 },
  },
  { collection: 'connections', name: 'connections_by_actor', keys: { actorId: 1, createdAtMs: 1, _id: 1 } },

  { collection: 'audit_events', name: 'audit_events_by_creation', keys: { createdAtMs: -1, _id: -1 } },
  {
    collection: 'audit_events',
    name: 'audit_events_by_organization',
    keys: { organizationId: 1, createdAtMs: -1, _id: -1 },
  },

  {
    collection: 'usage_windows',
    name: 'usage_windows_by_end',
    keys: { expireAt: 1 },
    expireAfterSeconds: clockMarginSeconds,
  },

  {
    collection: 'conversations',
    name: 'conversations_listed',
    keys: { listedOrganizationId: 1, listedActorId: 1, listedAtMs: -1 },
    uniqueFor: 'updatedAtMs',
    sparse: true,
  },

  {
    collection: 'turns',
    name: 'turns_by_claim',
    keys: { claimName: 1 },
    uniqueFor: 'claimName',
    sparse: true,
  },
  {
    collection: 'turns',
    name: 'turns_by_entry',
    keys: { entryConversationId: 1, entryPosition: -1 },
    uniqueFor: 'entryPosition',
    sparse: true,
  },
  { collection: 'turns', name: 'turns_dead', keys: { deadAtMs: 1 }, sparse: true },
  { collection: 'turns', name: 'turns_unapplied', keys: { unappliedAtMs: 1 }, sparse: true },
  { collection: 'turns', name: 'turns_by_claim_expiry', keys: { claimExpiresAtMs: 1 }, sparse: true },

  {
    collection: 'agents',
    name: 'agents_by_owner',
    keys: { ownerId: 1, createdAtMs: -1 },
    uniqueFor: 'createdAtMs',
  },
  { collection: 'agents', name: 'agents_by_creation', keys: { deletedAtMs: 1, createdAtMs: -1, _id: -1 } },
  {
    collection: 'agents',
    name: 'agents_by_organization',
    keys: { organizationId: 1, deletedAtMs: 1, createdAtMs: -1, _id: -1 },
  },
  { collection: 'agents', name: 'agents_by_due_time', keys: { nextRunAtMs: 1 }, sparse: true },

  {
    collection: 'runs',
    name: 'runs_by_agent',
    keys: { agentId: 1, queuedAtMs: -1 },
    uniqueFor: 'queuedAtMs',
  },
  {
    collection: 'runs',
    name: 'runs_active',
    keys: { activeAgentId: 1 },
    uniqueFor: 'activeAgentId',
    sparse: true,
  },
  { collection: 'runs', name: 'runs_by_due_time', keys: { dueAtMs: 1 }, sparse: true },

  {
    collection: 'replay_claims',
    name: 'replay_claims_by_end',
    keys: { expireAt: 1 },
    expireAfterSeconds: clockMarginSeconds,
  },

  { collection: 'jobs', name: 'jobs_by_due_time', keys: { dueAtMs: 1, _id: 1 } },
];
