import type { AdminContext } from '../admin/command.ts';
import { ConfigError } from '../config/config-reader.ts';
import { type Config, type Secrets, storePath } from '../config.ts';
import { systemClock } from '../ports/clock.ts';
import { systemRandom } from '../ports/random.ts';
import { createAesGcmSealer } from '../secrets/aes-gcm-sealer.ts';
import { argon2PasswordHasher } from '../secrets/argon2-password-hasher.ts';
import { openSecretsKey } from '../secrets/secrets-key-file.ts';
import { createAccountServices } from '../services/accounts/account-services.ts';
import { openSqliteStore } from '../storage/sqlite/open-sqlite-store.ts';
import { connectionTester } from './connection-tester.ts';

/**
 * Opens what the administrator's command line works with: the store that a running server may have open as well.
 *
 * @throws ConfigError when the configuration asks for what this build does not have.
 */
export async function openAdmin(config: Config, secrets: Secrets): Promise<AdminContext> {
  if (config.storage !== 'sqlite') throw new ConfigError(['MONGODB_URL is not supported yet: unset it']);
  const store = openSqliteStore({ path: storePath(config) });
  const secretsKey = secrets.secretsKey ?? openSecretsKey(config.dataDir, systemRandom);
  const services = createAccountServices({
    store,
    passwords: argon2PasswordHasher,
    sealer: createAesGcmSealer([secretsKey, ...secrets.previousSecretsKeys], systemRandom),
    connectionTester,
    models: { list: async () => [], find: () => undefined },
    clock: systemClock,
    random: systemRandom,
  });
  return { ...services, close: () => store.close() };
}
