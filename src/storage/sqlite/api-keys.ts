import type { ApiKey } from '../../domain/api-key.ts';
import type { ApiKeyStore } from '../../ports/store.ts';
import type { Database } from './database.ts';
import type { PrincipalCache } from './principal-cache.ts';
import { createRecordStore } from './record-store.ts';

const minuteMs = 60_000;

/** Keys whose last use is held in memory. */
const usesMax = 100_000;

export function openApiKeys(database: Database, principals: PrincipalCache): ApiKeyStore {
  const records = createRecordStore<ApiKey, { organizationId?: string }>(database, {
    table: 'api_keys',
    filters: { organizationId: 'organization_id' },
    onChange: principals.clear,
  });
  const noteUse = database.prepare(`
    UPDATE api_keys SET document = json_set(document, '$.lastUsedAtMs', ?1)
    WHERE id = ?2 AND coalesce(document ->> '$.lastUsedAtMs', -1) < ?1
    RETURNING key_hash`);
  const lastUses = new Map<string, number>();
  const noted = Promise.resolve();

  return {
    ...records,

    findPrincipal: principals.find,

    touch(id, usedAtMs) {
      const usedAtMinuteMs = Math.floor(usedAtMs / minuteMs) * minuteMs;
      if ((lastUses.get(id) ?? -1) >= usedAtMinuteMs) return noted;
      if (lastUses.size >= usesMax) lastUses.clear();
      lastUses.set(id, usedAtMinuteMs);
      return database.write(() => {
        const row = noteUse.get(usedAtMinuteMs, id);
        if (row !== undefined) principals.forget(row.key_hash as string);
      });
    },
  };
}
