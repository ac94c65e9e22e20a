import type { JsonObject, MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromMs } from '@bufbuild/protobuf/wkt';
import type {
  ApiKeySchema,
  AuditEventSchema,
  ConnectionSchema,
  OrganizationSchema,
  UsageLimitSchema,
  UserSchema,
} from '../../../gen/service/admin/v1/admin_pb.ts';
import type { AuditEvent } from '../../domain/audit.ts';
import type { Connection } from '../../domain/connection.ts';
import type { Organization, UsageLimit, User } from '../../domain/organization.ts';
import type { ApiKeyWithUsage } from '../../services/accounts/api-key-service.ts';

/* Records as answers show them: named field by field, so that no hash and no sealed setting gets out. */

export function toOrganizationMessage(record: Organization): MessageInitShape<typeof OrganizationSchema> {
  return {
    id: record.id,
    name: record.name,
    models: [...record.models],
    subscription: record.subscription,
    trial: record.trial,
    suspended: record.suspended,
    pinnedMode: record.pinnedMode ?? undefined,
    tokenPool: toInt64(record.tokenPool),
    poolResetDay: record.poolResetDay,
    usagePool: toUsageLimitMessage(record.usagePool),
    trackerSite: record.trackerSite ?? undefined,
    trackerWrites: record.trackerWrites,
    wikiSite: record.wikiSite ?? undefined,
    wikiWrites: record.wikiWrites,
    createdAt: timestampFromMs(record.createdAtMs),
    updatedAt: timestampFromMs(record.updatedAtMs),
  };
}

export function toUserMessage(record: User): MessageInitShape<typeof UserSchema> {
  return {
    id: record.id,
    organizationId: record.organizationId,
    email: record.email,
    name: record.name,
    role: record.role,
    active: record.active,
    usageLimit: toUsageLimitMessage(record.usageLimit),
    models: [...record.models],
    createdAt: timestampFromMs(record.createdAtMs),
    updatedAt: timestampFromMs(record.updatedAtMs),
  };
}

export function toApiKeyMessage(record: ApiKeyWithUsage): MessageInitShape<typeof ApiKeySchema> {
  return {
    id: record.id,
    organizationId: record.organizationId,
    actorId: record.actorId,
    name: record.name,
    hint: record.hint,
    scopes: [...record.scopes],
    models: [...record.models],
    rateLimitPerHour: record.rateLimitPerHour,
    tokenBudget: toInt64(record.tokenBudget),
    expiresAt: toTimestamp(record.expiresAtMs),
    revokedAt: toTimestamp(record.revokedAtMs),
    lastUsedAt: toTimestamp(record.lastUsedAtMs),
    requestsThisHour: BigInt(record.requestsThisHour ?? 0),
    tokensThisCycle: BigInt(record.tokensThisCycle),
    createdAt: timestampFromMs(record.createdAtMs),
    updatedAt: timestampFromMs(record.updatedAtMs),
  };
}

export function toConnectionMessage(record: Connection): MessageInitShape<typeof ConnectionSchema> {
  return {
    id: record.id,
    // A user's connection belongs to the user, although the record knows the organization as well.
    organizationId: record.actorId === null ? record.organizationId : undefined,
    actorId: record.actorId ?? undefined,
    name: record.name,
    kind: record.kind,
    address: record.address,
    testedAt: toTimestamp(record.testedAtMs),
    active: record.active,
    createdAt: timestampFromMs(record.createdAtMs),
  };
}

export function toAuditEventMessage(event: AuditEvent): MessageInitShape<typeof AuditEventSchema> {
  return {
    id: event.id,
    createdAt: timestampFromMs(event.createdAtMs),
    actor: event.actor,
    action: event.action,
    subjectType: event.subjectType,
    subjectId: event.subjectId,
    changes: event.changes as JsonObject,
  };
}

/** Returns a page of records as messages. */
export function toPageMessage<T, M>(
  { data, nextCursor }: { readonly data: readonly T[]; readonly nextCursor?: string },
  toMessage: (record: T) => M,
): { data: M[]; hasMore: boolean; nextCursor: string } {
  return { data: data.map(toMessage), hasMore: nextCursor !== undefined, nextCursor: nextCursor ?? '' };
}

function toUsageLimitMessage(
  limit: UsageLimit | null,
): MessageInitShape<typeof UsageLimitSchema> | undefined {
  return limit === null ? undefined : { unit: limit.unit, limit: BigInt(limit.limit), window: limit.window };
}

function toInt64(value: number | null): bigint | undefined {
  return value === null ? undefined : BigInt(value);
}

function toTimestamp(timeMs: number | null) {
  return timeMs === null ? undefined : timestampFromMs(timeMs);
}
