import type { ApiKey } from '../../domain/api-key.ts';
import { ServiceError } from '../../domain/errors.ts';
import type { Clock } from '../../ports/clock.ts';
import type { RateCounter, RateStep, RateVerdict } from '../../ports/counters.ts';
import { secondsUntil } from './address-throttle.ts';

const hourMs = 3_600_000;

/** Returns the step that counts a call of a key in its hour, or only looks. */
export function hourlyStep({ id, rateLimitPerHour }: ApiKey, kind: RateStep['kind']): RateStep {
  return { kind, key: `key:${id}`, window: { limit: rateLimitPerHour, windowMs: hourMs } };
}

/** @throws `rate_limit_exceeded` when a call was not counted */
export function assertCounted({ rateLimitPerHour }: ApiKey, verdict: RateVerdict, nowMs: number): void {
  if (verdict.allowed) return;
  const retryAfterSeconds = secondsUntil(verdict.resetAtMs, nowMs);
  throw new ServiceError('rate_limit_exceeded', {
    retryAfterSeconds,
    extra: { retry_after: retryAfterSeconds, used: verdict.used, limit: rateLimitPerHour },
  });
}

/** Returns where a key stands in its hour, without counting. */
export function peekRate(
  deps: { readonly rateCounter: RateCounter; readonly clock: Clock },
  apiKey: ApiKey,
): Promise<RateVerdict> {
  const { key, window } = hourlyStep(apiKey, 'peek');
  return deps.rateCounter.peek(key, window, deps.clock.now());
}
