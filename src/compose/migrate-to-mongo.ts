import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ConfigError } from '../config/config-reader.ts';
import { type Config, type Secrets, storePath } from '../config.ts';
import { systemClock } from '../ports/clock.ts';
import { systemRandom } from '../ports/random.ts';
import { openSecretsKey } from '../secrets/secrets-key-file.ts';
import { type KindSummary, migrateStore } from '../services/migrate-store.ts';
import { openTransferTarget } from '../storage/mongo/open-transfer-target.ts';
import { openTransferSource } from '../storage/sqlite/open-transfer-source.ts';

/**
 * Moves the embedded store in DATA_DIR to the database that MONGODB_URL names. The embedded store stays as it is.
 *
 * @throws ConfigError when one of the two is missing, or SECRETS_KEY could not open what DATA_DIR's key has sealed.
 */
export async function migrateToMongo(config: Config, secrets: Secrets): Promise<readonly KindSummary[]> {
  const path = storePath(config);
  const { mongodbUrl } = secrets;
  if (mongodbUrl === null) throw new ConfigError(['MONGODB_URL must name the database to move to']);
  if (!existsSync(path)) throw new ConfigError([`DATA_DIR has no store to move: there is no ${path}`]);
  assertSecretsKey(config, secrets);
  const source = openTransferSource(path);
  try {
    const target = await openTransferTarget(mongodbUrl);
    try {
      return await migrateStore(source, target, systemClock.now());
    } finally {
      await target.close();
    }
  } finally {
    await source.close();
  }
}

function assertSecretsKey({ dataDir }: Config, { secretsKey, previousSecretsKeys }: Secrets): void {
  const path = join(dataDir, 'secrets.key');
  if (!existsSync(path)) return;
  const own = Buffer.from(openSecretsKey(dataDir, systemRandom));
  const keys = secretsKey === null ? previousSecretsKeys : [secretsKey, ...previousSecretsKeys];
  if (keys.some((key) => own.equals(key))) return;
  throw new ConfigError([
    `SECRETS_KEY or SECRETS_KEY_PREVIOUS must be the key in ${path}: what is moved was sealed with it`,
  ]);
}
