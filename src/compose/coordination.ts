import type { Secrets } from '../config.ts';
import { createMemoryRateCounter } from '../counters/memory/rate-counter.ts';
import { createRedisRateCounter } from '../counters/redis/rate-counter.ts';
import type { Clock } from '../ports/clock.ts';
import type { RateCounter } from '../ports/counters.ts';
import type { Random } from '../ports/random.ts';
import type { RunQueue } from '../ports/run-queue.ts';
import type { Store } from '../ports/store.ts';
import { createBullmqRunQueue } from '../queue/bullmq/bullmq-run-queue.ts';
import { createLocalRunQueue } from '../queue/local/local-run-queue.ts';
import type { Dependency } from '../services/readiness.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import { openCommandClient, openWorkerClient } from './redis.ts';
import { reportSparingly } from './report-sparingly.ts';
import { watchRedisCounter } from './watch/watch-failures.ts';

/** What processes have to agree on beside the store. */
export interface Coordination {
  readonly rateCounter: RateCounter;
  readonly queue: RunQueue;
  /** What of it may be away. */
  readonly dependencies: readonly Dependency[];
  /** Comes after the queue's workers have ended. */
  close(): Promise<void>;
}

export interface CoordinationParts {
  readonly store: Store;
  readonly clock: Clock;
  readonly random: Random;
  readonly report: (message: string, cause: unknown) => void;
  readonly metrics: Metrics;
}

/** Before the names of all keys on Redis. */
const prefix = 'service';

/**
 * Opens the counters and the queue: on Redis for several processes, else in memory and in the store for one. Redis may
 * be away: what needs it fails within seconds, and goes on when it is there.
 */
export async function openCoordination(
  { redisUrl }: Pick<Secrets, 'redisUrl'>,
  parts: CoordinationParts,
): Promise<Coordination> {
  return redisUrl === null ? openAlone(parts) : openShared(redisUrl, parts);
}

function openAlone({ store, ...parts }: CoordinationParts): Coordination {
  const rateCounter = createMemoryRateCounter();
  const queue = createLocalRunQueue({ ...parts, jobs: store.jobs });
  return {
    rateCounter,
    queue,
    dependencies: [],
    async close() {
      await queue.close();
      await rateCounter.close();
    },
  };
}

async function openShared(
  url: string,
  { clock, metrics, ...parts }: CoordinationParts,
): Promise<Coordination> {
  // With Redis away, BullMQ fails at every attempt to reconnect.
  const tellSparingly = reportSparingly(parts.report, clock);
  const report: typeof parts.report = (message, cause) => {
    metrics.counter('service_redis_failures_total', ['queue']).value += 1;
    tellSparingly(message, cause);
  };
  const client = await openCommandClient(url, parts.report);
  const rateCounter = watchRedisCounter(createRedisRateCounter(client, `${prefix}:rate`), metrics);
  const openWorker = () => openWorkerClient(url, report);
  const queue = createBullmqRunQueue({ client, openWorkerClient: openWorker, prefix, clock, report });
  return {
    rateCounter,
    queue,
    dependencies: [{ name: 'redis', ping: async () => void (await client.ping()) }],
    async close() {
      await queue.close();
      client.disconnect();
    },
  };
}
