import type { AdminContext } from '../admin/command.ts';
import type { Config, Secrets } from '../config.ts';
import { systemClock } from '../ports/clock.ts';
import { systemRandom } from '../ports/random.ts';
import { createAesGcmSealer } from '../secrets/aes-gcm-sealer.ts';
import { argon2PasswordHasher } from '../secrets/argon2-password-hasher.ts';
import { openSecretsKey } from '../secrets/secrets-key-file.ts';
import { createAccountServices } from '../services/accounts/account-services.ts';
import { createAgentService } from '../services/agent/agent-service.ts';
import { createRunService } from '../services/run/run-service.ts';
import { createConnectionTester } from './connection-tester.ts';
import { openAdminStore } from './store.ts';
import { openSystems } from './systems.ts';

/**
 * Opens what the administrator's command line works with: the store that a running server may have open as well.
 *
 * @throws ConfigError when the store cannot be used.
 */
export async function openAdmin(config: Config, secrets: Secrets): Promise<AdminContext> {
  const store = await openAdminStore(config, secrets);
  const secretsKey = secrets.secretsKey ?? openSecretsKey(config.dataDir, systemRandom);
  const systems = openSystems({ privateHosts: config.privateHosts, clock: systemClock });
  const parts = {
    store,
    sealer: createAesGcmSealer([secretsKey, ...secrets.previousSecretsKeys], systemRandom),
    models: { list: async () => [], find: () => undefined },
    clock: systemClock,
    random: systemRandom,
  };
  const accounts = createAccountServices({
    ...parts,
    passwords: argon2PasswordHasher,
    connectionTester: createConnectionTester(systems),
  });
  const agentParts = {
    ...parts,
    // What a run is, its record says: workers find it by that.
    queue: { add: async () => undefined },
    hasMailServer: secrets.smtpUrl !== null,
    report: () => undefined,
  };
  return {
    ...accounts,
    agents: createAgentService(agentParts),
    runs: createRunService(agentParts),
    async close() {
      await systems.close();
      await store.close();
    },
  };
}
