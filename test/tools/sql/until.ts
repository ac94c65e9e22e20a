import { setTimeout as delay } from 'node:timers/promises';

/** Resolves as soon as `isTrue` says so; the test's own time limit ends the wait otherwise. */
export async function until(isTrue: () => Promise<boolean>): Promise<void> {
  while (!(await isTrue())) await delay(10);
}
