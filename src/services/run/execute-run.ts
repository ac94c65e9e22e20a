import type { ChatAnswer } from '../../domain/chat.ts';
import { ServiceError } from '../../domain/errors.ts';
import { limits } from '../../domain/limits.ts';
import {
  deliveriesOf,
  endRun,
  isFinal,
  isRunner,
  type Run,
  type RunEnd,
  releaseRun,
  startRun,
} from '../../domain/run.ts';
import { skipReasons } from '../../domain/run-status.ts';
import type { JobHandler, JobOutcome } from '../../ports/run-queue.ts';
import { deliverNotifications } from '../notification/deliver-notifications.ts';
import { type Admitted, admitRun } from './admit-run.ts';
import { agentTurnRequest, taskOf } from './agent-turn.ts';
import { changeRun } from './change-run.ts';
import { createProgressLog, type ProgressLog } from './progress-log.ts';
import type { RunDependencies } from './run-dependencies.ts';
import { describeFailure, retryDelayMs } from './run-failure.ts';
import { keepRun } from './run-heartbeat.ts';
import { createRunStop, type RunStop } from './run-stop.ts';

type Startable = Extract<Admitted, { refusal?: never }>;

/** Between two tries while the turn is still held by a runner that died. */
const heldTurnPauseMs = 1_000;

const done: JobOutcome = { state: 'done' };

/**
 * Returns what a worker does with a job: starts or goes on with the run when it is due, and afterwards tells those who
 * want to know. The record decides; a job too many does nothing.
 */
export function createRunHandler(deps: RunDependencies): JobHandler {
  const { store, clock } = deps;
  return async (runId, signal) => {
    const run = await store.runs.get(runId);
    if (run === undefined) return done;
    if (isFinal(run)) return deliverNotifications(deps, run, signal);
    const nowMs = clock.now();
    if (run.dueAtMs !== null && run.dueAtMs > nowMs) return { state: 'later', notBeforeMs: run.dueAtMs };
    const admitted = await admitRun(deps, run);
    if (admitted.refusal !== undefined) return refuse(deps, run, admitted, signal);
    if (run.cancelRequestedAtMs !== null) return end(deps, run, admitted, { status: 'cancelled' }, signal);
    if (run.attempt >= limits.agent.attempts) {
      const error = run.error ?? `The run was interrupted ${run.attempt} times.`;
      return end(deps, run, admitted, { status: 'failed', error }, signal);
    }
    const started = startRun(run, {
      nowMs,
      leaseEndsAtMs: nowMs + limits.agent.runLeaseMs,
      timeLimitMs: admitted.agent.timeLimitSeconds * 1_000,
      task: taskOf(admitted.agent, run.triggerType),
    });
    if (started === undefined || !(await store.runs.replace(started))) {
      return { state: 'later', notBeforeMs: nowMs };
    }
    const { observer } = deps;
    const work = () => attempt(deps, started, admitted, signal);
    return observer === undefined ? work() : observer.attempt(started, work);
  };
}

/** What an attempt came to: the end of the run, or what is to be done with it. */
type AttemptResult =
  | Omit<RunEnd, 'nowMs' | 'deliveries'>
  | {
      readonly status: 'queued';
      readonly dueAtMs: number;
      readonly isInterrupted: boolean;
      readonly error: string | null;
    }
  | { readonly status: 'lost' };

async function attempt(
  deps: RunDependencies,
  run: Run,
  admitted: Startable,
  signal: AbortSignal,
): Promise<JobOutcome> {
  const log = createProgressLog();
  const stop = createRunStop();
  const drain = () => stop.stop('drained');
  if (signal.aborted) drain();
  signal.addEventListener('abort', drain, { once: true });
  const heartbeat = keepRun(deps, run, log, stop);
  let result: AttemptResult;
  try {
    const answer = await runTurn(deps, run, admitted, log, stop);
    result = {
      status: 'succeeded',
      output: answer.content,
      usage: answer.usage,
      toolCalls: answer.toolCalls,
    };
  } catch (error) {
    result = judge(deps, run, admitted, error, log, stop);
  } finally {
    heartbeat.end();
    signal.removeEventListener('abort', drain);
  }
  if (result.status === 'lost')
    return { state: 'later', notBeforeMs: deps.clock.now() + limits.agent.runLeaseMs };
  if (result.status !== 'queued') return end(deps, run, admitted, result, signal);
  const { dueAtMs, isInterrupted, error } = result;
  await changeRun(deps.store.runs, run.id, (each) =>
    releaseRun(each, run.fence, { dueAtMs, isInterrupted, error }),
  );
  return { state: 'later', notBeforeMs: dueAtMs };
}

/** Runs the turn within its time, waiting first for one that a dead runner still holds. */
async function runTurn(
  deps: RunDependencies,
  run: Run,
  admitted: Startable,
  log: ProgressLog,
  stop: RunStop,
): Promise<ChatAnswer> {
  const marker = Buffer.from(deps.random.bytes(16)).toString('hex');
  const request = agentTurnRequest({ ...admitted, run, marker });
  const note = (event: Parameters<ProgressLog['add']>[0]) => {
    log.add(event);
    return undefined;
  };
  let leftMs = Math.max(0, (run.deadlineAtMs ?? 0) - deps.clock.now());
  for (;;) {
    const timer = setTimeout(() => stop.stop('timed_out'), leftMs);
    try {
      return (await deps.chat.run(request, note, stop.signal)).answer;
    } catch (error) {
      const isHeld = error instanceof ServiceError && error.slug === 'request_in_progress';
      if (!isHeld || stop.reason !== undefined) throw error;
      // The wait is not the run's fault.
      leftMs = admitted.agent.timeLimitSeconds * 1_000;
    } finally {
      clearTimeout(timer);
    }
    await pause(heldTurnPauseMs, stop.signal);
  }
}

function judge(
  { clock, random, report }: RunDependencies,
  run: Run,
  { agent }: Startable,
  error: unknown,
  log: ProgressLog,
  stop: RunStop,
): AttemptResult {
  const { content } = log.snapshot();
  const soFar = { output: content === '' ? null : content, toolCalls: log.toolCalls };
  const nowMs = clock.now();
  switch (stop.reason) {
    case 'lost':
      return { status: 'lost' };
    case 'drained':
      return { status: 'queued', dueAtMs: nowMs, isInterrupted: true, error: null };
    case 'cancelled':
      return { status: 'cancelled', ...soFar };
    case 'timed_out':
      return {
        status: 'timed_out',
        error: `The run took longer than its time limit of ${agent.timeLimitSeconds} s.`,
        ...soFar,
      };
    case undefined: {
      const { message, isPassing } = describeFailure(error);
      report(`attempt ${run.attempt} of run ${run.id} failed`, error);
      const chance = (random.bytes(1)[0] ?? 0) / 256;
      const dueAtMs = nowMs + retryDelayMs(run.attempt, chance);
      const mayRetry = isPassing && run.attempt < limits.agent.attempts && dueAtMs < (run.deadlineAtMs ?? 0);
      if (mayRetry) return { status: 'queued', dueAtMs, isInterrupted: false, error: message };
      return { status: 'failed', error: message, ...soFar };
    }
  }
}

/** Does not start a run whose agent, owner or organization is no longer in order. */
function refuse(
  deps: RunDependencies,
  run: Run,
  { agent, refusal }: Extract<Admitted, { readonly refusal: string }>,
  signal: AbortSignal,
): Promise<JobOutcome> {
  const result =
    run.attempt === 0
      ? ({ status: 'skipped', skipReason: refusal } as const)
      : ({ status: 'failed', error: skipReasons[refusal] } as const);
  return end(deps, run, { agent }, result, signal);
}

/** Ends the run as it stands under this runner, and tells those who want to know. */
async function end(
  deps: RunDependencies,
  run: Run,
  { agent }: Pick<Admitted, 'agent'>,
  result: Omit<RunEnd, 'nowMs' | 'deliveries'>,
  signal: AbortSignal,
): Promise<JobOutcome> {
  const nowMs = deps.clock.now();
  const deliveries = deliveriesOf(agent?.notifications ?? [], result, nowMs);
  const ended = await changeRun(deps.store.runs, run.id, (present) => {
    const isOurs =
      run.status === 'running' ? isRunner(present, run.fence) : present.revision === run.revision;
    return isOurs ? endRun(present, { ...result, nowMs, deliveries }) : undefined;
  });
  if (ended === undefined) return { state: 'later', notBeforeMs: nowMs };
  deps.observer?.ended(ended);
  return deliverNotifications(deps, ended, signal);
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop);
      resolve();
    }, ms);
    signal.addEventListener('abort', stop, { once: true });
  });
}
