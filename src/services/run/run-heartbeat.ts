import { limits } from '../../domain/limits.ts';
import { isRunner, type Run, renewRun } from '../../domain/run.ts';
import { changeRun } from './change-run.ts';
import type { ProgressLog } from './progress-log.ts';
import type { RunDependencies } from './run-dependencies.ts';
import type { RunStop } from './run-stop.ts';

/** A lease is renewed when this much of it is over. */
const renewalShare = 0.25;

/**
 * Keeps a run while its turn is at work: renews its lease, notes its progress, and stops the turn when the owner has
 * asked for it, when another runner has taken over, and when the lease could not be renewed in time.
 */
export function keepRun(
  deps: Pick<RunDependencies, 'store' | 'clock' | 'report'>,
  run: Run,
  log: ProgressLog,
  stop: RunStop,
): { end(): void } {
  const { store, clock, report } = deps;
  const { fence } = run;
  let leaseEndsAtMs = run.dueAtMs ?? clock.now();
  let notedVersion = log.version;
  let isBusy = false;

  async function beat(): Promise<void> {
    const present = await store.runs.get(run.id);
    if (present === undefined || !isRunner(present, fence)) return stop.stop('lost');
    if (present.cancelRequestedAtMs !== null) return stop.stop('cancelled');
    const { version } = log;
    const nowMs = clock.now();
    const isLeaseFresh = leaseEndsAtMs - nowMs > limits.agent.runLeaseMs * (1 - renewalShare);
    if (version === notedVersion && isLeaseFresh) return;
    const renewal = { leaseEndsAtMs: nowMs + limits.agent.runLeaseMs, progress: log.snapshot() };
    const renewed = await changeRun(store.runs, run.id, (each) => renewRun(each, fence, renewal));
    if (renewed === undefined) return stop.stop('lost');
    leaseEndsAtMs = renewal.leaseEndsAtMs;
    notedVersion = version;
  }

  const timer = setInterval(() => {
    if (clock.now() >= leaseEndsAtMs) stop.stop('lost');
    if (isBusy) return;
    isBusy = true;
    beat()
      .catch((error) => report(`run ${run.id} could not be renewed`, error))
      .finally(() => {
        isBusy = false;
      });
  }, limits.agent.runHeartbeatMs);
  return { end: () => clearInterval(timer) };
}
