import type { Redis } from 'ioredis';
import { ServiceError } from '../../domain/errors.ts';
import type { RateCounter, RateStep, RateVerdict, RateWindow } from '../../ports/counters.ts';

/** A bucket outlives its window by this, for the clocks of processes that are behind. */
const graceMs = 60_000;

/** Takes the bucket of each step, with its limit and, for a hit, how long it is to live: 0 only looks. */
const takeStepsScript = `
local taken = {}
for index, bucket in ipairs(KEYS) do
  local limit, life = tonumber(ARGV[2 * index - 1]), tonumber(ARGV[2 * index])
  local used = tonumber(redis.call('GET', bucket) or '0')
  local allowed = used < limit
  if allowed and life > 0 then
    used = redis.call('INCR', bucket)
    if used == 1 then redis.call('PEXPIRE', bucket, life) end
  end
  taken[index] = { allowed and 1 or 0, used }
  if not allowed then break end
end
return taken
`;

interface ScriptedRedis extends Redis {
  takeRateSteps(count: number, ...bucketsThenLimits: (string | number)[]): Promise<[number, number][]>;
}

/**
 * Returns a counter that all processes on one Redis share: a fixed bucket whose windows are aligned to the Unix epoch,
 * so that the one of an hour begins with the hour (UTC). One round trip a call, however many steps it has; memory: one
 * small key for each bucket in use, gone a minute after its window.
 *
 * The client must fail rather than queue or repeat commands when Redis is away: a hit that is counted twice, or later,
 * would be one too many. The caller closes it.
 *
 * @throws `entitlement_check_failed` from every call when Redis does not answer.
 */
export function createRedisRateCounter(client: Redis, prefix: string): RateCounter {
  client.defineCommand('takeRateSteps', { lua: takeStepsScript });
  const redis = client as ScriptedRedis;

  async function takeSteps(steps: readonly RateStep[], nowMs: number): Promise<readonly RateVerdict[]> {
    const buckets: string[] = [];
    const limits: number[] = [];
    const ends: number[] = [];
    for (const { kind, key, window } of steps) {
      const number = Math.floor(nowMs / window.windowMs);
      const endsAtMs = (number + 1) * window.windowMs;
      buckets.push(`${prefix}:${window.windowMs}:${number}:${key}`);
      limits.push(window.limit, kind === 'hit' ? endsAtMs - nowMs + graceMs : 0);
      ends.push(endsAtMs);
    }
    const taken = await orRefuse(redis.takeRateSteps(steps.length, ...buckets, ...limits));
    return taken.map(([allowed, used], index) => ({
      allowed: allowed === 1,
      used,
      resetAtMs: ends[index] as number,
    }));
  }

  async function takeOne(
    kind: RateStep['kind'],
    key: string,
    window: RateWindow,
    nowMs: number,
  ): Promise<RateVerdict> {
    const [verdict] = await takeSteps([{ kind, key, window }], nowMs);
    return verdict as RateVerdict;
  }

  return {
    hit: (key, window, nowMs) => takeOne('hit', key, window, nowMs),
    peek: (key, window, nowMs) => takeOne('peek', key, window, nowMs),
    takeSteps,
    close: () => Promise.resolve(),
  };
}

function orRefuse<T>(answer: Promise<T>): Promise<T> {
  return answer.catch((cause: unknown) => {
    throw new ServiceError('entitlement_check_failed', { cause });
  });
}
