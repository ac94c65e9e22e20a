import type { Run } from '../../domain/run.ts';
import type { RunStore } from '../../ports/run-store.ts';

/** How often a change is made anew because another one came first. */
const attemptsMax = 20;

/**
 * Changes a run and returns it as changed. Returns undefined when there is no such run, or `change` returns undefined
 * for the run as it stands.
 */
export async function changeRun(
  runs: RunStore,
  id: string,
  change: (run: Run) => Run | undefined,
): Promise<Run | undefined> {
  for (let attempt = 0; attempt < attemptsMax; attempt += 1) {
    const present = await runs.get(id);
    const next = present && change(present);
    if (next === undefined || (await runs.replace(next))) return next;
  }
  throw new Error(`run ${id} is changed by too many at once`);
}
