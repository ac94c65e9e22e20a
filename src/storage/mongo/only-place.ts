import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Db } from 'mongodb';
import type { Clock } from '../../ports/clock.ts';
import { createLease, keepLease } from './lease.ts';

const defaultLeaseMs = 15_000;

/** The place of the one process that counts in its own memory. */
export interface OnlyPlace {
  /** @throws Error when another process has taken the place. */
  assertHeld(): void;
  leave(): Promise<void>;
}

/**
 * Takes the place, and keeps it until it is left. A process that died holds it until its lease ends; that long is
 * waited for it.
 *
 * @throws Error when another process has it.
 */
export async function takeOnlyPlace(
  database: Db,
  clock: Clock,
  leaseMs = defaultLeaseMs,
): Promise<OnlyPlace> {
  const lease = createLease(database, { id: 'only-process', token: randomUUID(), leaseMs });
  const giveUpAtMs = clock.now() + leaseMs;
  while (!(await lease.take(clock.now()))) {
    if (clock.now() > giveUpAtMs) throw new Error(takenMessage);
    await sleep(leaseMs / 30);
  }
  const kept = keepLease(lease, clock.now, leaseMs);
  return {
    assertHeld() {
      if (!kept.isHeld()) throw new Error(takenMessage);
    },
    leave: kept.release,
  };
}

const takenMessage =
  'another process serves from the same MongoDB database: more than one needs REDIS_URL, where they count together';
