import { ServiceError } from '../../domain/errors.ts';
import type { Clock } from '../../ports/clock.ts';
import type { RateCounter, RateStep, RateVerdict } from '../../ports/counters.ts';
import { createRefusedAddresses } from './refused-addresses.ts';

const windowMs = 60_000;

/**
 * Limits requests, and separately refused authentications, of one client address a minute.
 *
 * An address over one of its limits is refused from memory until its time has come, without asking the counter.
 */
export interface AddressThrottle {
  /** @throws `ip_rate_limit_exceeded` when this process knows that the address is refused */
  assertFree(address: string): void;
  /**
   * Counts a request.
   *
   * @throws `ip_rate_limit_exceeded`; `entitlement_check_failed` when the counter cannot be reached
   */
  count(address: string): Promise<void>;
  /** Counts a request and takes a step after it, in one round trip; returns the step's verdict. @throws as `count` */
  countWith(address: string, step: RateStep): Promise<RateVerdict>;
  /** Counts a request whose authentication was refused. @throws as `count` */
  countAuthFailure(address: string): Promise<void>;
}

export function createAddressThrottle(
  counter: RateCounter,
  limits: { readonly requestsPerMinute: number; readonly authFailuresPerMinute: number },
  clock: Clock,
): AddressThrottle {
  const requests = { limit: limits.requestsPerMinute, windowMs };
  const failures = { limit: limits.authFailuresPerMinute, windowMs };
  const refused = createRefusedAddresses();

  function assertFree(address: string): void {
    const nowMs = clock.now();
    const untilMs = refused.refusedUntil(address, nowMs);
    if (untilMs !== undefined) throw refusal(untilMs, nowMs);
  }

  /** Takes `further` after the address's own steps and returns all verdicts: the address is free when it does. */
  async function take(address: string, further: readonly RateStep[]): Promise<readonly RateVerdict[]> {
    assertFree(address);
    const nowMs = clock.now();
    const own: readonly RateStep[] = [
      { kind: 'peek', key: `auth:${address}`, window: failures },
      { kind: 'hit', key: `ip:${address}`, window: requests },
    ];
    const verdicts = await orFail(counter.takeSteps([...own, ...further], nowMs));
    const refusing = verdicts.slice(0, own.length).find(({ allowed }) => !allowed);
    if (refusing === undefined) return verdicts;
    refused.add(address, refusing.resetAtMs);
    throw refusal(refusing.resetAtMs, nowMs);
  }

  async function countWith(address: string, step: RateStep): Promise<RateVerdict> {
    return (await take(address, [step])).at(-1) as RateVerdict;
  }

  return {
    assertFree,
    async count(address) {
      await take(address, []);
    },
    countWith,
    async countAuthFailure(address) {
      await countWith(address, { kind: 'hit', key: `auth:${address}`, window: failures });
    },
  };
}

function orFail<T>(answer: Promise<T>): Promise<T> {
  return answer.catch((cause: unknown) => {
    throw cause instanceof ServiceError ? cause : new ServiceError('entitlement_check_failed', { cause });
  });
}

function refusal(untilMs: number, nowMs: number): ServiceError {
  return new ServiceError('ip_rate_limit_exceeded', { retryAfterSeconds: secondsUntil(untilMs, nowMs) });
}

/** Whole seconds from now until a time, at least 1: the value of Retry-After. */
export function secondsUntil(timeMs: number, nowMs: number): number {
  return Math.max(1, Math.ceil((timeMs - nowMs) / 1000));
}
