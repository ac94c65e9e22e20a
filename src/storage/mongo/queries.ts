import type { Document } from 'mongodb';
import type { CursorPosition } from '../../domain/cursor.ts';
import type { RunPage } from '../../ports/run-store.ts';
import { type HeldLimits, heldBelow } from './amounts.ts';
import type { CollectionName } from './collections.ts';

/** Which documents an operation is about, and the index by which the server finds them. */
export interface Query {
  readonly collection: CollectionName;
  /** Its name in `indexes.ts`; `_id_` is the one on `_id`. */
  readonly index: string;
  readonly filter: Document;
  readonly sort?: Readonly<Record<string, 1 | -1>>;
  readonly skip?: number;
  /** Absent: one document, or for a deletion all. */
  readonly limit?: number;
  readonly projection?: Document;
}

/** A page of a list in order of creation: after the position, when there is one. */
export interface ListPage {
  readonly after: CursorPosition | undefined;
  readonly limit: number;
}

function byId(collection: CollectionName, id: string, conditions: Document = {}): Query {
  return { collection, index: '_id_', filter: { _id: id, ...conditions } };
}

function byIds(collection: CollectionName, ids: readonly string[], conditions: Document = {}): Query {
  return { collection, index: '_id_', filter: { _id: { $in: [...ids] }, ...conditions } };
}

function byCreation(
  collection: CollectionName,
  index: string,
  equal: Document,
  { after, limit }: ListPage,
  order: 1 | -1 = 1,
): Query {
  const sort = { createdAtMs: order, _id: order } as const;
  if (after === undefined) return { collection, index, filter: equal, sort, limit };
  const { createdAtMs, id } = after;
  const [beyond, from] = order === 1 ? ['$gt', '$gte'] : ['$lt', '$lte'];
  const filter = {
    ...equal,
    // Bounds the walk of the index, which the choice below does not on every server.
    createdAtMs: { [from as string]: createdAtMs },
    $or: [
      { createdAtMs: { [beyond as string]: createdAtMs } },
      { createdAtMs, _id: { [beyond as string]: id } },
    ],
  };
  return { collection, index, filter, sort, limit };
}

const visibleConversation = ({ organizationId, actorId }: { organizationId: string; actorId: string }) => ({
  organizationId,
  actorId,
  deletedAtMs: null,
});

const running = (fence: number) => ({ fence, status: 'running' });

/**
 * Every query of the store. Its code asks for nothing else, and the tests hold each one against its index: no query
 * reads more documents than it returns or changes, but for those that a condition beside the index passes over.
 */
export const queries = {
  organization: (id: string) => byId('organizations', id),
  anyOrganization: (): Query => ({
    collection: 'organizations',
    index: '_id_',
    filter: {},
    sort: { _id: 1 },
    limit: 1,
    projection: { _id: 1 },
  }),
  organizations: (page: ListPage) => byCreation('organizations', 'organizations_by_creation', {}, page),

  user: (id: string) => byId('users', id),
  userByEmail: (email: string): Query => ({
    collection: 'users',
    index: 'users_by_email',
    filter: { email },
  }),
  users: (page: ListPage) => byCreation('users', 'users_by_creation', {}, page),
  usersOfOrganization: (organizationId: string, page: ListPage) =>
    byCreation('users', 'users_by_organization', { organizationId }, page),

  session: (id: string) => byId('sessions', id),
  sessionsOfUser: (userId: string, skip: number): Query => ({
    collection: 'sessions',
    index: 'sessions_by_user',
    filter: { userId },
    sort: { createdAtMs: -1, _id: -1 },
    skip,
    limit: 1_000,
    projection: { _id: 1 },
  }),
  expiredSessions: (nowMs: number): Query => ({
    collection: 'sessions',
    index: 'sessions_by_end',
    filter: { expireAt: { $lte: new Date(nowMs) } },
  }),

  apiKey: (id: string) => byId('api_keys', id),
  apiKeyByHash: (keyHash: string): Query => ({
    collection: 'api_keys',
    index: 'api_keys_by_key_hash',
    filter: { keyHash },
  }),
  apiKeys: (page: ListPage) => byCreation('api_keys', 'api_keys_by_creation', {}, page),
  apiKeysOfOrganization: (organizationId: string, page: ListPage) =>
    byCreation('api_keys', 'api_keys_by_organization', { organizationId }, page),

  connection: (id: string) => byId('connections', id),
  connections: (page: ListPage) => byCreation('connections', 'connections_by_creation', {}, page),
  connectionsOfOrganization: (organizationId: string, page: ListPage) =>
    byCreation('connections', 'connections_by_organization', { organizationId }, page),
  connectionsOfActor: (owner: { actorId: string; organizationId?: string }, page: ListPage) =>
    byCreation('connections', 'connections_by_actor', owner, page),

  auditEvent: (id: string) => byId('audit_events', id),
  auditEvents: (page: ListPage) => byCreation('audit_events', 'audit_events_by_creation', {}, page, -1),
  auditEventsOfOrganization: (organizationId: string, page: ListPage) =>
    byCreation('audit_events', 'audit_events_by_organization', { organizationId }, page, -1),

  ledgerCycle: (id: string) => byId('ledger_cycles', id),
  ledgerCycleWithRoom: (id: string, reservation: string, limits: HeldLimits) =>
    byId('ledger_cycles', id, { [`reservations.${reservation}`]: { $exists: false }, ...heldBelow(limits) }),
  ledgerCycleWithReservation: (id: string, reservation: string) =>
    byId('ledger_cycles', id, { [`reservations.${reservation}`]: { $exists: true } }),
  ledgerCycleWithLiveReservation: (id: string, reservation: string, nowMs: number) =>
    byId('ledger_cycles', id, { [`reservations.${reservation}.leaseEndsAtMs`]: { $gt: nowMs } }),

  usageWindow: (id: string) => byId('usage_windows', id),
  usageWindowWithRoom: (id: string, hold: string, limits: HeldLimits) =>
    byId('usage_windows', id, { [`holds.${hold}`]: { $exists: false }, ...heldBelow(limits) }),
  usageWindowWithHold: (id: string, hold: string) =>
    byId('usage_windows', id, { [`holds.${hold}`]: { $exists: true } }),
  usageWindowWithLiveHold: (id: string, hold: string, nowMs: number) =>
    byId('usage_windows', id, { [`holds.${hold}.leaseEndsAtMs`]: { $gt: nowMs } }),

  conversation: (id: string) => byId('conversations', id),
  conversationOfOwner: (id: string, owner: { organizationId: string; actorId: string }) =>
    byId('conversations', id, visibleConversation(owner)),
  unlockedConversation: (id: string, owner: { organizationId: string; actorId: string }, nowMs: number) =>
    byId('conversations', id, {
      ...visibleConversation(owner),
      $or: [{ lockToken: null }, { lockEndsAtMs: { $lte: nowMs } }],
    }),
  lockedConversation: (id: string, lockToken: string) => byId('conversations', id, { lockToken }),
  unlistedConversation: (id: string, lockToken: string) =>
    byId('conversations', id, { lockToken, lastPosition: 0 }),
  conversationBefore: (id: string, turn: { position: number; updatedAtMs: number; lockToken?: string }) =>
    byId('conversations', id, {
      deletedAtMs: null,
      lastPosition: { $lt: turn.position },
      updatedAtMs: { $lt: turn.updatedAtMs },
      ...(turn.lockToken !== undefined && { lockToken: turn.lockToken }),
    }),
  listedConversations: (
    { organizationId, actorId }: { organizationId: string; actorId: string },
    beforeMs: number,
    limit: number,
  ): Query => ({
    collection: 'conversations',
    index: 'conversations_listed',
    filter: {
      listedOrganizationId: organizationId,
      listedActorId: actorId,
      listedAtMs: { $lt: beforeMs },
    },
    sort: { listedAtMs: -1 },
    limit,
  }),

  turn: (id: string) => byId('turns', id),
  turnOfClaim: (claimName: string): Query => ({
    collection: 'turns',
    index: 'turns_by_claim',
    filter: { claimName },
  }),
  runningTurn: (id: string, fence: number) => byId('turns', id, running(fence)),
  claimedRunningTurn: (id: string, fence: number) =>
    byId('turns', id, { ...running(fence), claimName: { $exists: true } }),
  deadTurn: (id: string, fence: number, nowMs: number) =>
    byId('turns', id, { ...running(fence), leaseEndsAtMs: { $lte: nowMs } }),
  committedTurn: (id: string) => byId('turns', id, { status: 'committed' }),
  turns: (ids: readonly string[]) => byIds('turns', ids),
  /** Committed and neither to be repeated nor read: nothing of them is needed once they are applied. */
  spentTurns: (ids: readonly string[]) =>
    byIds('turns', ids, {
      status: 'committed',
      claimName: { $exists: false },
      entryPosition: { $exists: false },
    }),
  appliedTurnWithoutEntry: (id: string) =>
    byId('turns', id, { status: 'committed', applied: true, entryPosition: { $exists: false } }),
  entries: (conversationId: string, beforePosition: number, limit: number): Query => ({
    collection: 'turns',
    index: 'turns_by_entry',
    filter: { entryConversationId: conversationId, entryPosition: { $lt: beforePosition } },
    sort: { entryPosition: -1 },
    limit,
    projection: { _id: 0, entryPosition: 1, entryMessages: 1 },
  }),
  deadTurns: (beforeMs: number, limit: number): Query => ({
    collection: 'turns',
    index: 'turns_dead',
    filter: { deadAtMs: { $lt: beforeMs }, applied: false },
    sort: { deadAtMs: 1 },
    limit,
  }),
  unappliedTurns: (beforeMs: number, limit: number): Query => ({
    collection: 'turns',
    index: 'turns_unapplied',
    filter: { unappliedAtMs: { $lt: beforeMs } },
    sort: { unappliedAtMs: 1 },
    limit,
  }),
  expiredClaims: (beforeMs: number, limit: number): Query => ({
    collection: 'turns',
    index: 'turns_by_claim_expiry',
    filter: {
      claimExpiresAtMs: { $lt: beforeMs },
      $or: [
        { status: 'committed', applied: true },
        { status: 'running', $expr: { $lt: ['$leaseEndsAtMs', '$claimExpiresAtMs'] } },
      ],
    },
    sort: { claimExpiresAtMs: 1 },
    limit,
  }),

  agent: (id: string) => byId('agents', id),
  agentAtRevision: (id: string, revision: number) => byId('agents', id, { revision }),
  agents: (page: ListPage) => byCreation('agents', 'agents_by_creation', { deletedAtMs: null }, page, -1),
  agentsOfOrganization: (organizationId: string, page: ListPage) =>
    byCreation('agents', 'agents_by_organization', { organizationId, deletedAtMs: null }, page, -1),
  agentsOfOwner: (owner: { ownerId: string; organizationId?: string }, page: ListPage) =>
    // Times of creation are unique for an owner, so that ids need not be compared.
    ({
      ...byCreation('agents', 'agents_by_owner', { ...owner, deletedAtMs: null }, page, -1),
      sort: { createdAtMs: -1 },
    }) satisfies Query,
  dueAgents: (nowMs: number, limit: number): Query => ({
    collection: 'agents',
    index: 'agents_by_due_time',
    filter: { nextRunAtMs: { $lte: nowMs } },
    sort: { nextRunAtMs: 1 },
    limit,
  }),

  run: (id: string) => byId('runs', id),
  runAtRevision: (id: string, revision: number) => byId('runs', id, { revision }),
  activeRun: (agentId: string): Query => ({
    collection: 'runs',
    index: 'runs_active',
    filter: { activeAgentId: agentId },
  }),
  runsOfAgent: (
    agentId: string,
    { limit, beforeMs = Number.MAX_SAFE_INTEGER, statuses, triggerTypes }: RunPage,
  ): Query => ({
    collection: 'runs',
    index: 'runs_by_agent',
    filter: {
      agentId,
      queuedAtMs: { $lt: beforeMs },
      ...(statuses.length > 0 && { status: { $in: [...statuses] } }),
      ...(triggerTypes.length > 0 && { triggerType: { $in: [...triggerTypes] } }),
    },
    sort: { queuedAtMs: -1 },
    limit,
  }),
  dueRuns: (beforeMs: number, limit: number): Query => ({
    collection: 'runs',
    index: 'runs_by_due_time',
    filter: { dueAtMs: { $lt: beforeMs } },
    sort: { dueAtMs: 1 },
    limit,
    projection: { _id: 1 },
  }),

  replayClaim: (key: string, nowMs: number) => byId('replay_claims', key, { lastMs: { $gte: nowMs } }),
  endedReplayClaim: (key: string, nowMs: number) => byId('replay_claims', key, { lastMs: { $lt: nowMs } }),
  endedReplayClaims: (nowMs: number): Query => ({
    collection: 'replay_claims',
    index: 'replay_claims_by_end',
    filter: { expireAt: { $lt: new Date(nowMs) } },
  }),

  jobs: (limit: number): Query => ({
    collection: 'jobs',
    index: 'jobs_by_due_time',
    filter: { dueAtMs: { $gte: 0 } },
    limit,
    projection: { _id: 0, token: 1 },
  }),
  waitingJob: (id: string) => byId('jobs', id, { token: null }),
  leasedJob: (id: string, token: string) => byId('jobs', id, { token }),
  dueJob: (nowMs: number): Query => ({
    collection: 'jobs',
    index: 'jobs_by_due_time',
    filter: { dueAtMs: { $lte: nowMs } },
    sort: { dueAtMs: 1, _id: 1 },
    limit: 1,
  }),
} satisfies Readonly<Record<string, (...args: never[]) => Query>>;
