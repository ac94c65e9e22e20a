import type { Config, Secrets } from '../config.ts';
import { systemClock } from '../ports/clock.ts';
import { systemRandom } from '../ports/random.ts';
import { createAesGcmSealer } from '../secrets/aes-gcm-sealer.ts';
import { openSecretsKey } from '../secrets/secrets-key-file.ts';
import { type ResealSummary, resealSecrets } from '../services/reseal-secrets.ts';
import { openAdminStore } from './store.ts';

/**
 * Seals everything in the store with the present key, beside serving processes.
 *
 * @param by The administrator, for the audit trail.
 * @throws ConfigError when the store cannot be used.
 */
export async function resealStore(
  config: Config,
  secrets: Secrets,
  by: string,
): Promise<readonly ResealSummary[]> {
  const store = await openAdminStore(config, secrets);
  try {
    const secretsKey = secrets.secretsKey ?? openSecretsKey(config.dataDir, systemRandom);
    const sealer = createAesGcmSealer([secretsKey, ...secrets.previousSecretsKeys], systemRandom);
    return await resealSecrets({ store, sealer, clock: systemClock, random: systemRandom }, by);
  } finally {
    await store.close();
  }
}
