import type { Redis } from 'ioredis';
import { ServiceError } from '../../domain/errors.ts';
import type { RateCounter, RateVerdict, RateWindow } from '../../ports/counters.ts';

/** A bucket outlives its window by this, for the clocks of processes that are behind. */
const graceMs = 60_000;

const hitScript = `
local used = tonumber(redis.call('GET', KEYS[1]) or '0')
if used >= tonumber(ARGV[1]) then return { 0, used } end
used = redis.call('INCR', KEYS[1])
if used == 1 then redis.call('PEXPIRE', KEYS[1], ARGV[2]) end
return { 1, used }
`;

interface ScriptedRedis extends Redis {
  countHit(bucket: string, limit: number, lifeMs: number): Promise<[number, number]>;
}

/**
 * Returns a counter that all processes on one Redis share: a fixed bucket whose windows are aligned to the Unix epoch,
 * so that the one of an hour begins with the hour (UTC). One round trip a call; memory: one small key for each bucket in
 * use, gone a minute after its window.
 *
 * The client must fail rather than queue or repeat commands when Redis is away: a hit that is counted twice, or later,
 * would be one too many. The caller closes it.
 *
 * @throws `entitlement_check_failed` from every call when Redis does not answer.
 */
export function createRedisRateCounter(client: Redis, prefix: string): RateCounter {
  client.defineCommand('countHit', { numberOfKeys: 1, lua: hitScript });
  const redis = client as ScriptedRedis;

  function bucketOf(key: string, { windowMs }: RateWindow, nowMs: number) {
    const number = Math.floor(nowMs / windowMs);
    return { name: `${prefix}:${windowMs}:${number}:${key}`, endsAtMs: (number + 1) * windowMs };
  }

  return {
    async hit(key, window, nowMs): Promise<RateVerdict> {
      const { name, endsAtMs } = bucketOf(key, window, nowMs);
      const [allowed, used] = await orRefuse(redis.countHit(name, window.limit, endsAtMs - nowMs + graceMs));
      return { allowed: allowed === 1, used, resetAtMs: endsAtMs };
    },

    async peek(key, window, nowMs): Promise<RateVerdict> {
      const { name, endsAtMs } = bucketOf(key, window, nowMs);
      const used = Number((await orRefuse(redis.get(name))) ?? 0);
      return { allowed: used < window.limit, used, resetAtMs: endsAtMs };
    },

    close: () => Promise.resolve(),
  };
}

function orRefuse<T>(answer: Promise<T>): Promise<T> {
  return answer.catch((cause: unknown) => {
    throw new ServiceError('entitlement_check_failed', { cause });
  });
}
