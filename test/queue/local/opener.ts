import { systemClock } from '../../../src/ports/clock.ts';
import { systemRandom } from '../../../src/ports/random.ts';
import { createLocalRunQueue } from '../../../src/queue/local/local-run-queue.ts';
import type { OpenedQueue, QueuePlace } from '../../contract/run-queue-contract.ts';
import { createSqlitePlace, openStore } from '../../storage/sqlite/opener.ts';

const leaseMs = 300;

/** How the contract's processes open the local queue: with short times. */
export async function openQueue(location: string): Promise<OpenedQueue> {
  const store = await openStore(location);
  const queue = createLocalRunQueue({
    jobs: store.jobs,
    clock: systemClock,
    random: systemRandom,
    report: () => undefined,
    leaseMs,
    renewalMs: leaseMs / 4,
    pollMs: 10,
    failurePauseMs: 20,
    stopGraceMs: 1_000,
  });
  return {
    queue,
    async close() {
      await queue.close();
      await store.close();
    },
  };
}

export async function createLocalPlace(): Promise<QueuePlace> {
  const place = await createSqlitePlace();
  return { opener: new URL(import.meta.url), location: place.location, leaseMs, remove: place.remove };
}
