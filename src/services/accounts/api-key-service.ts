import type { ApiKey } from '../../domain/api-key.ts';
import {
  apiKeyHint,
  apiKeyTokenBytes,
  createApiKeyToken,
  hashApiKeyToken,
} from '../../domain/api-key-token.ts';
import { ServiceError } from '../../domain/errors.ts';
import { limits } from '../../domain/limits.ts';
import { scopes } from '../../domain/scopes.ts';
import type { Page } from '../../ports/page.ts';
import { type AccountDependencies, newId } from './account-dependencies.ts';
import { modelId, time, tokenBudget } from './account-rules.ts';
import { type ApiKeyUsage, readUsage } from './api-key-usage.ts';
import { recordChange } from './audit-service.ts';
import { listOf, nullable, oneOf, readFields, refuse, text, wholeNumber } from './field-rules.ts';
import { assertModels } from './model-rules.ts';
import { checkedPage, type PageInput } from './page-rules.ts';

const { rateLimitPerHourDefault, rateLimitPerHourMin, rateLimitPerHourMax, tokenBudgetDefault } =
  limits.apiKey;

const updateRules = {
  name: text(0, 200),
  scopes: listOf(oneOf(scopes), { min: 1 }),
  /** The first is the key's default. */
  models: listOf(modelId),
  rateLimitPerHour: wholeNumber(rateLimitPerHourMin, rateLimitPerHourMax),
  tokenBudget: nullable(tokenBudget),
  expiresAtMs: nullable(time),
};

const createRules = { ...updateRules, organizationId: text(1, 200), actorId: text(1, 200) };

export type ApiKeyCreateInput = { readonly [Field in keyof typeof createRules]?: unknown };
export type ApiKeyUpdateInput = { readonly [Field in keyof typeof updateRules]?: unknown };

/** The key itself, which nobody can read again. */
export interface IssuedApiKey {
  readonly key: string;
  readonly apiKey: ApiKey;
}

export type ApiKeyWithUsage = ApiKey & ApiKeyUsage;

export interface ApiKeyService {
  /** `by`: the administrator, a user id or `cli`. @throws `invalid_request` */
  create(input: ApiKeyCreateInput, by: string): Promise<IssuedApiKey>;
  /** @throws `not_found` */
  get(id: string): Promise<ApiKeyWithUsage>;
  /** Changes the given fields. @throws `not_found`, `invalid_request` */
  update(id: string, input: ApiKeyUpdateInput, by: string): Promise<ApiKeyWithUsage>;
  /** Replaces the key; the old one ends at once. @throws `not_found`, `invalid_request` when it is revoked */
  rotate(id: string, by: string): Promise<IssuedApiKey>;
  /** Ends the key at once and for good; again changes nothing. @throws `not_found` */
  revoke(id: string, by: string): Promise<ApiKeyWithUsage>;
  /** In order of creation. */
  list(filter: { organizationId?: string }, page: PageInput): Promise<Page<ApiKeyWithUsage>>;
}

export function createApiKeyService(deps: AccountDependencies): ApiKeyService {
  const { store, clock, random } = deps;

  async function record(id: string): Promise<ApiKey> {
    return (await store.apiKeys.get(id)) ?? notFound(id);
  }

  async function withUsage(apiKey: ApiKey): Promise<ApiKeyWithUsage> {
    return { ...apiKey, ...(await readUsage(deps, apiKey)) };
  }

  function audit(apiKey: ApiKey, verb: string, by: string, changes: Readonly<Record<string, unknown>>) {
    const { id, organizationId } = apiKey;
    const action = `key.${verb}`;
    return recordChange(deps, {
      organizationId,
      subjectType: 'key',
      subjectId: id,
      actor: by,
      action,
      changes,
    });
  }

  return {
    async create(input, by) {
      const { organizationId, actorId, ...given } = readFields(createRules, input);
      if (organizationId === undefined) refuse('organizationId', 'is required');
      if (actorId === undefined) refuse('actorId', 'is required');
      if (given.scopes === undefined) refuse('scopes', `is required; there are ${scopes.join(', ')}`);
      const organization = await store.organizations.get(organizationId);
      if (organization === undefined) refuse('organizationId', 'names no organization');
      const actor = await store.users.get(actorId);
      if (actor?.organizationId !== organizationId) refuse('actorId', 'names no user of the organization');
      await assertModels(deps, given.models, organization.models);
      const key = createApiKeyToken(random.bytes(apiKeyTokenBytes));
      const now = clock.now();
      const apiKey: ApiKey = {
        id: newId(deps),
        organizationId,
        actorId,
        name: '',
        keyHash: hashApiKeyToken(key),
        hint: apiKeyHint(key),
        models: [],
        rateLimitPerHour: rateLimitPerHourDefault,
        tokenBudget: tokenBudgetDefault,
        expiresAtMs: null,
        ...given,
        scopes: given.scopes,
        revokedAtMs: null,
        lastUsedAtMs: null,
        createdAtMs: now,
        updatedAtMs: now,
      };
      await store.apiKeys.create(apiKey);
      await audit(apiKey, 'create', by, { actorId, ...given });
      return { key, apiKey };
    },

    get: async (id) => withUsage(await record(id)),

    async update(id, input, by) {
      const fields = readFields(updateRules, input);
      if (fields.models !== undefined) {
        const organization = await store.organizations.get((await record(id)).organizationId);
        await assertModels(deps, fields.models, organization?.models);
      }
      const patch = { ...fields, updatedAtMs: clock.now() };
      const apiKey = (await store.apiKeys.update(id, patch)) ?? notFound(id);
      await audit(apiKey, 'update', by, fields);
      return withUsage(apiKey);
    },

    async rotate(id, by) {
      if ((await record(id)).revokedAtMs !== null) refuse('id', 'names a key that is revoked');
      const key = createApiKeyToken(random.bytes(apiKeyTokenBytes));
      const patch = { keyHash: hashApiKeyToken(key), hint: apiKeyHint(key), updatedAtMs: clock.now() };
      const apiKey = (await store.apiKeys.update(id, patch)) ?? notFound(id);
      await audit(apiKey, 'rotate', by, { hint: apiKey.hint });
      return { key, apiKey };
    },

    async revoke(id, by) {
      const present = await record(id);
      if (present.revokedAtMs !== null) return withUsage(present);
      const now = clock.now();
      const apiKey = (await store.apiKeys.update(id, { revokedAtMs: now, updatedAtMs: now })) ?? notFound(id);
      await audit(apiKey, 'revoke', by, {});
      return withUsage(apiKey);
    },

    async list(filter, page) {
      const { data, ...rest } = await store.apiKeys.list(filter, checkedPage(page));
      return { data: await Promise.all(data.map(withUsage)), ...rest };
    },
  };
}

function notFound(id: string): never {
  throw new ServiceError('not_found', { detail: `There is no key ${id}.` });
}
