import { deliveriesOf, endRun, type Run, withCancelRequest } from '../../domain/run.ts';
import { changeRun } from './change-run.ts';
import type { RunDependencies } from './run-dependencies.ts';

/**
 * Cancels a queued run at once, and asks a running one to stop, which it does within a second or two. A run that has
 * ended is left as it is. Returns the run as it stands.
 */
export async function requestCancel(
  deps: Pick<RunDependencies, 'store' | 'queue' | 'clock' | 'report' | 'observer'>,
  id: string,
): Promise<Run | undefined> {
  const { store, clock, queue, report } = deps;
  const present = await store.runs.get(id);
  const agent = present && (await store.agents.get(present.agentId));
  const nowMs = clock.now();
  const deliveries = deliveriesOf(agent?.notifications ?? [], { status: 'cancelled' }, nowMs);
  const changed = await changeRun(store.runs, id, (run) =>
    run.status === 'queued'
      ? endRun(run, { status: 'cancelled', nowMs, deliveries, error: run.error })
      : withCancelRequest(run, nowMs),
  );
  if (changed === undefined) return store.runs.get(id);
  if (changed.status === 'cancelled') deps.observer?.ended(changed);
  if (changed.status === 'cancelled' && changed.dueAtMs !== null) {
    await queue.add(id, nowMs).catch((cause) => report(`run ${id} waits for the sweep`, cause));
  }
  return changed;
}
