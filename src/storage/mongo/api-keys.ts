import type { Document } from 'mongodb';
import type { ApiKey } from '../../domain/api-key.ts';
import type { ApiKeyStore } from '../../ports/store.ts';
import { apiKeyFields, organizationFields, userFields } from './collections.ts';
import type { Database } from './database.ts';
import { fromDocument } from './fields.ts';
import { queries } from './queries.ts';
import { createRecordStore } from './record-store.ts';

const minuteMs = 60_000;

/** Keys whose last use is held in memory. */
const usesMax = 100_000;

const joinActorAndOrganization: readonly Document[] = [
  { $lookup: { from: 'users', localField: 'actorId', foreignField: '_id', as: 'actor' } },
  {
    $lookup: { from: 'organizations', localField: 'organizationId', foreignField: '_id', as: 'organization' },
  },
];

export function openApiKeys(database: Database): ApiKeyStore {
  const records = createRecordStore<ApiKey, { organizationId?: string }>(database, {
    collection: 'api_keys',
    fields: apiKeyFields,
    byId: queries.apiKey,
    list: ({ organizationId }, page) =>
      organizationId === undefined
        ? queries.apiKeys(page)
        : queries.apiKeysOfOrganization(organizationId, page),
  });
  const lastUses = new Map<string, number>();

  return {
    ...records,

    async findPrincipal(keyHash) {
      const query = queries.apiKeyByHash(keyHash);
      const apiKey = await database.aggregateOne(query, joinActorAndOrganization);
      const actor: Document | undefined = apiKey?.actor[0];
      const organization: Document | undefined = apiKey?.organization[0];
      if (apiKey === undefined || actor === undefined || organization === undefined) return undefined;
      return {
        apiKey: fromDocument(apiKeyFields, apiKey),
        actor: fromDocument(userFields, actor),
        organization: fromDocument(organizationFields, organization),
      };
    },

    async touch(id, usedAtMs) {
      const usedAtMinuteMs = Math.floor(usedAtMs / minuteMs) * minuteMs;
      if ((lastUses.get(id) ?? -1) >= usedAtMinuteMs) return;
      if (lastUses.size >= usesMax) lastUses.clear();
      lastUses.set(id, usedAtMinuteMs);
      // Null is less than any number.
      const change = { $max: { lastUsedAtMs: usedAtMinuteMs } };
      await database.update(queries.apiKey(id), change, { isExpendable: true });
    },
  };
}
