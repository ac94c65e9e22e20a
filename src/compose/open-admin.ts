import type { AdminContext } from '../admin/command.ts';
import type { Config, Secrets } from '../config.ts';
import { systemClock } from '../ports/clock.ts';
import { systemRandom } from '../ports/random.ts';
import { createAesGcmSealer } from '../secrets/aes-gcm-sealer.ts';
import { argon2PasswordHasher } from '../secrets/argon2-password-hasher.ts';
import { openSecretsKey } from '../secrets/secrets-key-file.ts';
import { createAccountServices } from '../services/accounts/account-services.ts';
import { connectionTester } from './connection-tester.ts';
import { openAdminStore } from './store.ts';

/**
 * Opens what the administrator's command line works with: the store that a running server may have open as well.
 *
 * @throws ConfigError when the store cannot be used.
 */
export async function openAdmin(config: Config, secrets: Secrets): Promise<AdminContext> {
  const store = await openAdminStore(config, secrets);
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
