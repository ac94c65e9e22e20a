import type { ApiKey } from '../../domain/api-key.ts';
import { cycleStartMs } from '../../domain/budget-cycle.ts';
import { peekRate } from '../admission/hourly-limit.ts';
import type { AccountDependencies } from './account-dependencies.ts';

export interface ApiKeyUsage {
  /** Calls counted in the present hour; null where another process counts them. */
  readonly requestsThisHour: number | null;
  /** Tokens used in the present budget cycle. */
  readonly tokensThisCycle: number;
}

/** Reads what a key has used up to now. */
export async function readUsage(
  { store, rateCounter, clock }: AccountDependencies,
  apiKey: ApiKey,
): Promise<ApiKeyUsage> {
  const nowMs = clock.now();
  const organization = await store.organizations.get(apiKey.organizationId);
  const { key } = await store.ledger.read({
    organizationId: apiKey.organizationId,
    apiKeyId: apiKey.id,
    cycleStartMs: cycleStartMs(nowMs, organization?.poolResetDay),
    nowMs,
  });
  const rate = rateCounter && (await peekRate({ rateCounter, clock }, apiKey));
  return { requestsThisHour: rate?.used ?? null, tokensThisCycle: key.used };
}
