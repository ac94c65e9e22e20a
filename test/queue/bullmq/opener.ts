import { Redis } from 'ioredis';
import { openCommandClient, openWorkerClient } from '../../../src/compose/redis.ts';
import { systemClock } from '../../../src/ports/clock.ts';
import { createBullmqRunQueue } from '../../../src/queue/bullmq/bullmq-run-queue.ts';
import type { OpenedQueue, QueuePlace } from '../../contract/run-queue-contract.ts';
import type { RedisServer } from '../../redis-server.ts';

const contractLeaseMs = 300;

/** How the contract's processes open the queue on Redis: with short times. */
export function openQueue(location: string): Promise<OpenedQueue> {
  return openBullmqQueue(location, contractLeaseMs);
}

export async function openBullmqQueue(
  url: string,
  leaseMs: number,
  report: (message: string, cause: unknown) => void = () => undefined,
): Promise<OpenedQueue> {
  const client = await openCommandClient(url, report);
  const queue = createBullmqRunQueue({
    client,
    openWorkerClient: () => openWorkerClient(url, report),
    prefix: 'test',
    clock: systemClock,
    report,
    leaseMs,
    stalledCheckMs: leaseMs / 2,
    failurePauseMs: 20,
    stopGraceMs: 1_000,
    disconnectGraceMs: 500,
  });
  return {
    queue,
    async close() {
      await queue.close();
      client.disconnect();
    },
  };
}

export async function createBullmqPlace(server: RedisServer): Promise<QueuePlace> {
  const redis = new Redis(server.url);
  await redis.flushall();
  const remove = async () => {
    await redis.quit();
  };
  return { opener: new URL(import.meta.url), location: server.url, leaseMs: contractLeaseMs, remove };
}
