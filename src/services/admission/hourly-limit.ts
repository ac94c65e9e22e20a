import type { ApiKey } from '../../domain/api-key.ts';
import { ServiceError } from '../../domain/errors.ts';
import type { Clock } from '../../ports/clock.ts';
import type { RateCounter, RateVerdict } from '../../ports/counters.ts';
import { secondsUntil } from './address-throttle.ts';

const hourMs = 3_600_000;

interface Dependencies {
  readonly rateCounter: RateCounter;
  readonly clock: Clock;
}

/**
 * Counts a call of a key.
 *
 * @throws `rate_limit_exceeded`, `entitlement_check_failed` when the counter cannot be reached
 */
export async function countCall(deps: Dependencies, apiKey: ApiKey): Promise<RateVerdict> {
  const now = deps.clock.now();
  const window = { limit: apiKey.rateLimitPerHour, windowMs: hourMs };
  const verdict = await deps.rateCounter.hit(`key:${apiKey.id}`, window, now);
  if (verdict.allowed) return verdict;
  const retryAfterSeconds = secondsUntil(verdict.resetAtMs, now);
  throw new ServiceError('rate_limit_exceeded', {
    retryAfterSeconds,
    extra: { retry_after: retryAfterSeconds, used: verdict.used, limit: apiKey.rateLimitPerHour },
  });
}

/** Returns where a key stands in its hour, without counting. */
export function peekRate(deps: Dependencies, apiKey: ApiKey): Promise<RateVerdict> {
  const window = { limit: apiKey.rateLimitPerHour, windowMs: hourMs };
  return deps.rateCounter.peek(`key:${apiKey.id}`, window, deps.clock.now());
}
