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
import { openCommandClient, openWorkerClient } from './redis.ts';

/** What processes have to agree on beside the store. */
export interface Coordination {
  readonly rateCounter: RateCounter;
  readonly queue: RunQueue;
  /** Comes after the queue's workers have ended. */
  close(): Promise<void>;
}

export interface CoordinationParts {
  readonly store: Store;
  readonly clock: Clock;
  readonly random: Random;
  readonly report: (message: string, cause: unknown) => void;
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
    async close() {
      await queue.close();
      await rateCounter.close();
    },
  };
}

async function openShared(url: string, { clock, report }: CoordinationParts): Promise<Coordination> {
  const client = await openCommandClient(url, report);
  const rateCounter = createRedisRateCounter(client, `${prefix}:rate`);
  const openWorker = () => openWorkerClient(url, report);
  const queue = createBullmqRunQueue({ client, openWorkerClient: openWorker, prefix, clock, report });
  return {
    rateCounter,
    queue,
    async close() {
      await queue.close();
      client.disconnect();
    },
  };
}
