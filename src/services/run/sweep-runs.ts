import type { RunDependencies } from './run-dependencies.ts';

/** How late a job may be before its run gets another, milliseconds. */
const graceMs = 10_000;
const batchSize = 500;

/**
 * Gives every overdue run a job: one whose job was lost, whose worker died, or whose notifications wait. A job that is
 * there is left alone. Returns how many runs were found.
 */
export async function sweepRuns({
  store,
  queue,
  clock,
}: Pick<RunDependencies, 'store' | 'queue' | 'clock'>): Promise<number> {
  const nowMs = clock.now();
  const overdue = await store.runs.listDue(nowMs - graceMs, batchSize);
  for (const id of overdue) await queue.add(id, nowMs);
  return overdue.length;
}
