import { timestampMs } from '@bufbuild/protobuf/wkt';
import type {
  CreateApiKeyRequest,
  CreateConnectionRequest,
  CreateOrganizationRequest,
  CreateUserRequest,
  UpdateApiKeyRequest,
  UpdateOrganizationRequest,
  UpdateUserRequest,
  UsageLimit,
} from '../../../gen/service/admin/v1/admin_pb.ts';
import type { ApiKeyCreateInput, ApiKeyUpdateInput } from '../../services/accounts/api-key-service.ts';
import type { ConnectionInput } from '../../services/accounts/connection-service.ts';
import type { OrganizationInput } from '../../services/accounts/organization-service.ts';
import type { PageInput } from '../../services/accounts/page-rules.ts';
import type { UserCreateInput, UserUpdateInput } from '../../services/accounts/user-service.ts';

/*
 * Requests as the services take them. An undefined field is left as it is; null takes a value away. The services hold
 * every field to its rule, so that nothing is checked here.
 */

export function toPageInput({ limit, cursor }: { limit?: number | undefined; cursor: string }): PageInput {
  return { ...(limit !== undefined && { limit }), ...(cursor !== '' && { cursor }) };
}

export function toOrganizationFilter({ organizationId }: { organizationId: string }): {
  organizationId?: string;
} {
  return organizationId === '' ? {} : { organizationId };
}

export function toOrganizationInput(request: CreateOrganizationRequest): OrganizationInput {
  const { name, models, trial, suspended, poolResetDay, trackerWrites, wikiWrites } = request;
  return {
    name,
    models,
    subscription: request.subscription || undefined,
    trial,
    suspended,
    pinnedMode: request.pinnedMode || null,
    tokenPool: toCount(request.tokenPool) || null,
    poolResetDay,
    usagePool: toUsageLimit(request.usagePool) ?? null,
    trackerSite: request.trackerSite || null,
    trackerWrites,
    wikiSite: request.wikiSite || null,
    wikiWrites,
  };
}

export function toOrganizationUpdate(request: UpdateOrganizationRequest): OrganizationInput {
  const { name, subscription, trial, suspended, poolResetDay, trackerWrites, wikiWrites } = request;
  return {
    name,
    models: givenModels(request),
    subscription,
    trial,
    suspended,
    pinnedMode: emptyAsNull(request.pinnedMode),
    tokenPool: request.tokenPool === 0n ? null : toCount(request.tokenPool),
    poolResetDay,
    usagePool: request.clearUsagePool ? null : toUsageLimit(request.usagePool),
    trackerSite: emptyAsNull(request.trackerSite),
    trackerWrites,
    wikiSite: emptyAsNull(request.wikiSite),
    wikiWrites,
  };
}

export function toUserInput(request: CreateUserRequest): UserCreateInput {
  const { organizationId, email, name, models } = request;
  return {
    organizationId,
    email,
    name,
    models,
    password: request.password || null,
    role: request.role || undefined,
    usageLimit: toUsageLimit(request.usageLimit),
  };
}

export function toUserUpdate(request: UpdateUserRequest): UserUpdateInput {
  const { email, name, password, role, active } = request;
  return {
    email,
    name,
    password,
    role,
    active,
    usageLimit: request.clearUsageLimit ? null : toUsageLimit(request.usageLimit),
    models: givenModels(request),
  };
}

export function toApiKeyInput(request: CreateApiKeyRequest): ApiKeyCreateInput {
  const { organizationId, actorId, name, scopes, models, rateLimitPerHour } = request;
  return {
    organizationId,
    actorId,
    name,
    scopes,
    models,
    rateLimitPerHour,
    tokenBudget: request.noTokenBudget ? null : toCount(request.tokenBudget),
    expiresAtMs: request.expiresAt && timestampMs(request.expiresAt),
  };
}

export function toApiKeyUpdate(request: UpdateApiKeyRequest): ApiKeyUpdateInput {
  const { name, scopes, rateLimitPerHour } = request;
  return {
    name,
    scopes: scopes.length > 0 ? scopes : undefined,
    models: givenModels(request),
    rateLimitPerHour,
    tokenBudget: request.noTokenBudget ? null : toCount(request.tokenBudget),
    expiresAtMs: request.clearExpiresAt ? null : request.expiresAt && timestampMs(request.expiresAt),
  };
}

export function toConnectionInput(request: CreateConnectionRequest): ConnectionInput {
  const settings = Object.entries(request.settings ?? {}).map(([name, value]) => [toFieldName(name), value]);
  return {
    organizationId: request.organizationId || undefined,
    actorId: request.actorId || undefined,
    name: request.name,
    kind: request.kind,
    settings: Object.fromEntries(settings),
  };
}

/** Beyond 2^53 a count is no whole number any more, which its rule then says. */
function toCount(value: bigint | undefined): number | undefined {
  return value === undefined ? undefined : Number(value);
}

function toUsageLimit(limit: UsageLimit | undefined) {
  return limit && { unit: limit.unit, limit: Number(limit.limit), window: limit.window };
}

function givenModels({ models, setModels }: { models: readonly string[]; setModels: boolean }) {
  return models.length > 0 || setModels ? models : undefined;
}

function emptyAsNull(text: string | undefined): string | null | undefined {
  return text === '' ? null : text;
}

function toFieldName(jsonName: string): string {
  return jsonName.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
