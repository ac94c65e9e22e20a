import { mkdirSync } from 'node:fs';
import { ConfigError } from '../config/config-reader.ts';
import { type Config, type Secrets, storePath } from '../config.ts';
import type { Store } from '../ports/store.ts';
import { openMongoStore } from '../storage/mongo/open-mongo-store.ts';
import { openSqliteStore } from '../storage/sqlite/open-sqlite-store.ts';

/**
 * Opens the store that a serving process is configured for. Without Redis, one process may serve, on the embedded
 * store or on MongoDB: a second one is refused.
 *
 * @throws ConfigError when the settings do not fit together or the store cannot be used.
 */
export async function openServingStore(config: Config, secrets: Secrets): Promise<Store> {
  assertTogether(config);
  return openStore(config, secrets, config.coordination === 'memory');
}

/**
 * Opens the store beside serving processes, for an administrator.
 *
 * @throws ConfigError when it cannot be used.
 */
export async function openAdminStore(config: Config, secrets: Secrets): Promise<Store> {
  return openStore(config, secrets, false);
}

async function openStore(config: Config, { mongodbUrl }: Secrets, isAlone: boolean): Promise<Store> {
  try {
    if (mongodbUrl !== null) return await openMongoStore({ url: mongodbUrl, isAlone });
    mkdirSync(config.dataDir, { recursive: true, mode: 0o700 });
    return openSqliteStore({ path: storePath(config), isAlone });
  } catch (error) {
    throw new ConfigError([error instanceof Error ? error.message : String(error)]);
  }
}

function assertTogether({ storage, coordination, role }: Config): void {
  if (role === 'all' || (storage === 'mongodb' && coordination === 'redis')) return;
  const settings = { MONGODB_URL: storage === 'sqlite', REDIS_URL: coordination === 'memory' };
  const needed = Object.entries(settings)
    .filter(([, isMissing]) => isMissing)
    .map(([name]) => name)
    .join(' and ');
  throw new ConfigError([`ROLE=${role} is for one of several processes, which need ${needed}`]);
}
