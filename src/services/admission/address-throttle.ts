import { ServiceError } from '../../domain/errors.ts';
import type { Clock } from '../../ports/clock.ts';
import type { RateCounter, RateVerdict } from '../../ports/counters.ts';

const windowMs = 60_000;

export interface AddressThrottle {
  throttle(address: string): Promise<void>;
  noteAuthFailure(address: string): Promise<void>;
}

/** Limits requests, and separately refused authentications, of one client address a minute. */
export function createAddressThrottle(
  counter: RateCounter,
  limits: { readonly requestsPerMinute: number; readonly authFailuresPerMinute: number },
  clock: Clock,
): AddressThrottle {
  const requests = { limit: limits.requestsPerMinute, windowMs };
  const failures = { limit: limits.authFailuresPerMinute, windowMs };
  return {
    async throttle(address) {
      const now = clock.now();
      try {
        const failed = await counter.peek(`auth:${address}`, failures, now);
        if (!failed.allowed) throw refusal(failed, now);
        const verdict = await counter.hit(`ip:${address}`, requests, now);
        if (!verdict.allowed) throw refusal(verdict, now);
      } catch (error) {
        if (error instanceof ServiceError) throw error;
        throw new ServiceError('entitlement_check_failed', { cause: error });
      }
    },
    async noteAuthFailure(address) {
      await counter.hit(`auth:${address}`, failures, clock.now());
    },
  };
}

function refusal(verdict: RateVerdict, nowMs: number): ServiceError {
  return new ServiceError('ip_rate_limit_exceeded', {
    retryAfterSeconds: secondsUntil(verdict.resetAtMs, nowMs),
  });
}

/** Whole seconds from now until a time, at least 1: the value of Retry-After. */
export function secondsUntil(timeMs: number, nowMs: number): number {
  return Math.max(1, Math.ceil((timeMs - nowMs) / 1000));
}
