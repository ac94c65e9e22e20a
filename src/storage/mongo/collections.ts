import type { Agent } from '../../domain/agent.ts';
import type { ApiKey } from '../../domain/api-key.ts';
import type { AuditEvent } from '../../domain/audit.ts';
import type { Connection } from '../../domain/connection.ts';
import type { Conversation } from '../../domain/conversation.ts';
import type { Organization, User } from '../../domain/organization.ts';
import type { Run } from '../../domain/run.ts';
import type { Session } from '../../domain/session.ts';
import {
  bool,
  date,
  type Fields,
  type FieldsOf,
  json,
  list,
  nullable,
  number,
  object,
  sparse,
  text,
} from './fields.ts';

const times = { createdAtMs: number, updatedAtMs: number };

export const organizationFields: FieldsOf<Organization> = {
  name: text,
  models: list,
  subscription: text,
  trial: bool,
  suspended: bool,
  pinnedMode: nullable(text),
  tokenPool: nullable(number),
  poolResetDay: number,
  usagePool: nullable(object),
  trackerSite: nullable(text),
  trackerWrites: bool,
  wikiSite: nullable(text),
  wikiWrites: bool,
  ...times,
};

export const userFields: FieldsOf<User> = {
  organizationId: text,
  email: text,
  name: text,
  role: text,
  active: bool,
  passwordHash: nullable(text),
  usageLimit: nullable(object),
  models: list,
  ...times,
};

export const sessionFields: FieldsOf<Session> = {
  userId: text,
  passwordTag: text,
  createdAtMs: number,
  lastUsedAtMs: number,
  expiresAtMs: number,
};

export const apiKeyFields: FieldsOf<ApiKey> = {
  organizationId: text,
  actorId: text,
  name: text,
  keyHash: text,
  hint: text,
  scopes: list,
  models: list,
  rateLimitPerHour: number,
  tokenBudget: nullable(number),
  expiresAtMs: nullable(number),
  revokedAtMs: nullable(number),
  lastUsedAtMs: nullable(number),
  ...times,
};

export const connectionFields: FieldsOf<Connection> = {
  organizationId: text,
  actorId: nullable(text),
  name: text,
  kind: text,
  address: text,
  sealedSettings: text,
  active: bool,
  testedAtMs: nullable(number),
  ...times,
};

export const auditEventFields: FieldsOf<AuditEvent> = {
  createdAtMs: number,
  actor: text,
  organizationId: nullable(text),
  action: text,
  subjectType: text,
  subjectId: text,
  changes: json,
};

export const conversationFields: FieldsOf<Conversation> = {
  organizationId: text,
  actorId: text,
  title: text,
  model: text,
  mode: text,
  ...times,
};

export const agentFields: FieldsOf<Agent> = {
  organizationId: text,
  ownerId: text,
  name: text,
  prompt: text,
  model: nullable(text),
  mode: text,
  toolScopes: list,
  schedule: nullable(text),
  timezone: text,
  paused: bool,
  expiresAtMs: nullable(number),
  timeLimitSeconds: number,
  notifications: list,
  sealedNotificationSecret: nullable(text),
  webhookWrites: bool,
  sealedWebhookSecret: nullable(text),
  nextRunAtMs: sparse(number),
  deletedAtMs: nullable(number),
  revision: number,
  ...times,
};

export const runFields: FieldsOf<Run> = {
  agentId: text,
  organizationId: text,
  ownerId: text,
  triggerType: text,
  status: text,
  skipReason: nullable(text),
  attempt: number,
  queuedAtMs: number,
  startedAtMs: nullable(number),
  finishedAtMs: nullable(number),
  output: nullable(text),
  error: nullable(text),
  usage: nullable(object),
  toolCalls: json,
  payload: nullable(object),
  task: nullable(object),
  payloadBytes: number,
  payloadTruncated: bool,
  activeAgentId: sparse(text),
  dueAtMs: sparse(number),
  deadlineAtMs: nullable(number),
  fence: number,
  cancelRequestedAtMs: nullable(number),
  progress: nullable(object),
  deliveries: list,
  traceParent: nullable(text),
  revision: number,
};

/** A turn. Claim and entry are flat, for the sparse indexes that make them unique. */
export const turnFields = {
  kind: text,
  organizationId: text,
  accountId: text,
  conversation: nullable(object),
  claimName: sparse(text),
  claimFingerprint: sparse(text),
  claimExpiresAtMs: sparse(number),
  status: text,
  fence: number,
  leaseEndsAtMs: number,
  holds: list,
  charges: list,
  rounds: list,
  entryConversationId: sparse(text),
  entryPosition: sparse(number),
  entryMessages: sparse(list),
  answer: nullable(json),
  applied: bool,
  createdAtMs: number,
  committedAtMs: nullable(number),
  /** `leaseEndsAtMs` while it is running and not applied. */
  deadAtMs: sparse(number),
  /** `committedAtMs` while it is committed and not applied. */
  unappliedAtMs: sparse(number),
} satisfies Fields;

/**
 * Every collection with the fields of its documents: what validators are made from. A field that a later version adds
 * is nullable, and the version before it neither reads nor removes it.
 */
export const collections = {
  organizations: organizationFields,
  users: userFields,
  sessions: { ...sessionFields, expireAt: date },
  api_keys: apiKeyFields,
  connections: connectionFields,
  audit_events: auditEventFields,
  /** What an organization and its keys used in a budget cycle, and the reservations by their encoded ids. */
  ledger_cycles: {
    organizationId: text,
    cycleStartMs: number,
    used: number,
    usedByKey: object,
    reservations: object,
  },
  /** What a subject used in a calendar window, and the holds by their encoded ids. */
  usage_windows: {
    subject: text,
    unit: text,
    window: text,
    startMs: number,
    used: number,
    holds: object,
    expireAt: date,
  },
  conversations: {
    ...conversationFields,
    /** Of the last turn that was noted; 0: not listed. */
    lastPosition: number,
    deletedAtMs: nullable(number),
    lockToken: nullable(text),
    lockEndsAtMs: nullable(number),
    /** Owner and `updatedAtMs`, while it is listed: unique. */
    listedOrganizationId: sparse(text),
    listedActorId: sparse(text),
    listedAtMs: sparse(number),
  },
  turns: turnFields,
  agents: agentFields,
  runs: runFields,
  replay_claims: { value: text, lastMs: number, expireAt: date },
  jobs: { dueAtMs: number, token: nullable(text) },
} satisfies Readonly<Record<string, Fields>>;

export type CollectionName = keyof typeof collections;
