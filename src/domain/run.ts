import type { NotificationTarget, ToolScope } from './agent.ts';
import type { TokenUsage, ToolCall } from './chat.ts';
import type { ChatMode } from './organization.ts';
import {
  type FinalStatus,
  type RunStatus,
  runTransitions,
  type SkipReason,
  type TriggerType,
} from './run-status.ts';

/** What a webhook sent, as far as it is kept. */
export interface KeptPayload {
  readonly text: string;
  readonly truncated: boolean;
}

/**
 * What a run does, as its agent had it at the first start: whoever goes on with the run goes on with the same.
 */
export interface RunTask {
  readonly prompt: string;
  readonly model: string | null;
  readonly mode: ChatMode;
  readonly scopes: readonly ToolScope[];
}

/** What a run has said and done so far. */
export interface RunProgress {
  readonly content: string;
  readonly steps: readonly RunStep[];
}

export interface RunStep {
  readonly status: 'running' | 'completed' | 'failed';
  /** For a person. */
  readonly label: string;
  readonly tool: string;
}

/** A notification of the end of a run. */
export interface Delivery {
  readonly target: NotificationTarget;
  readonly state: 'pending' | 'delivered' | 'failed';
  readonly attempts: number;
  readonly dueAtMs: number;
}

/**
 * One run of an agent, the only truth about it. Times are Unix milliseconds.
 *
 * `revision` counts the changes; a change is stored only over the revision that it was made from.
 */
export interface Run {
  readonly id: string;
  readonly agentId: string;
  readonly organizationId: string;
  readonly ownerId: string;
  readonly triggerType: TriggerType;
  readonly status: RunStatus;
  readonly skipReason: SkipReason | null;
  /** Starts so far. */
  readonly attempt: number;
  /** Unique among the agent's runs. */
  readonly queuedAtMs: number;
  /** Of the first start. */
  readonly startedAtMs: number | null;
  readonly finishedAtMs: number | null;
  readonly output: string | null;
  /** For the owner. */
  readonly error: string | null;
  readonly usage: TokenUsage | null;
  readonly toolCalls: readonly ToolCall[];
  /** Null once the run has ended, and where there was none. */
  readonly payload: KeptPayload | null;
  /** From the first start to the end. */
  readonly task: RunTask | null;
  /** As sent. */
  readonly payloadBytes: number;
  readonly payloadTruncated: boolean;
  /** The agent's id while the run is queued or running; unique, so that an agent has at most one such run. */
  readonly activeAgentId: string | null;
  /** When a worker is to look at it: queued, its time; running, the end of its lease; ended, its next delivery. */
  readonly dueAtMs: number | null;
  /** When its time is up; null before the first start and after an interruption. */
  readonly deadlineAtMs: number | null;
  /** Counts the runners; only the last one may write. */
  readonly fence: number;
  readonly cancelRequestedAtMs: number | null;
  readonly progress: RunProgress | null;
  readonly deliveries: readonly Delivery[];
  /** The call that set it off, as a W3C traceparent; null when that was not traced. */
  readonly traceParent: string | null;
  readonly revision: number;
}

export type NewRun = Pick<
  Run,
  'id' | 'agentId' | 'organizationId' | 'ownerId' | 'triggerType' | 'queuedAtMs'
> & {
  readonly payload: KeptPayload | null;
  readonly payloadBytes: number;
  readonly traceParent?: string | null;
};

export function isFinal(run: Pick<Run, 'status'>): run is { status: FinalStatus } {
  return runTransitions[run.status].length === 0;
}

export function queuedRun(fields: NewRun): Run {
  return {
    ...fields,
    status: 'queued',
    skipReason: null,
    attempt: 0,
    startedAtMs: null,
    finishedAtMs: null,
    output: null,
    error: null,
    usage: null,
    toolCalls: [],
    task: null,
    payloadTruncated: fields.payload?.truncated ?? false,
    traceParent: fields.traceParent ?? null,
    activeAgentId: fields.agentId,
    dueAtMs: fields.queuedAtMs,
    deadlineAtMs: null,
    fence: 0,
    cancelRequestedAtMs: null,
    progress: null,
    deliveries: [],
    revision: 1,
  };
}

/** @throws Error when the table does not have the step. */
function moved(run: Run, status: RunStatus, fields: Partial<Run>): Run {
  const next: readonly RunStatus[] = runTransitions[run.status];
  if (!next.includes(status)) throw new Error(`a run that is ${run.status} cannot become ${status}`);
  return changed(run, { ...fields, status });
}

function changed(run: Run, fields: Partial<Run>): Run {
  return { ...run, ...fields, revision: run.revision + 1 };
}

export interface RunStart {
  readonly nowMs: number;
  readonly leaseEndsAtMs: number;
  readonly timeLimitMs: number;
  /** What the agent would do now. */
  readonly task: RunTask;
}

/**
 * Gives a run to a new runner: one that is due, or one whose runner let its lease end, whose time then starts anew.
 * Undefined when it is neither.
 */
export function startRun(run: Run, { nowMs, leaseEndsAtMs, timeLimitMs, task }: RunStart): Run | undefined {
  if (isFinal(run) || run.dueAtMs === null || run.dueAtMs > nowMs) return undefined;
  const isInterrupted = run.status === 'running';
  const fields = {
    fence: run.fence + 1,
    attempt: run.attempt + 1,
    startedAtMs: run.startedAtMs ?? nowMs,
    dueAtMs: leaseEndsAtMs,
    deadlineAtMs: (isInterrupted ? null : run.deadlineAtMs) ?? nowMs + timeLimitMs,
    task: run.task ?? task,
    progress: null,
  };
  return isInterrupted ? changed(run, fields) : moved(run, 'running', fields);
}

/** Whether the runner with this fence still has the run. */
export function isRunner(run: Run, fence: number): boolean {
  return run.status === 'running' && run.fence === fence;
}

/** Extends the runner's lease and notes its progress. Undefined when the run is another's by now, or over. */
export function renewRun(
  run: Run,
  fence: number,
  renewal: { readonly leaseEndsAtMs: number; readonly progress: RunProgress },
): Run | undefined {
  if (!isRunner(run, fence)) return undefined;
  return changed(run, { dueAtMs: renewal.leaseEndsAtMs, progress: renewal.progress });
}

/** Puts the run back: to try again later, or, when `isInterrupted`, as if this start had not been. */
export function releaseRun(
  run: Run,
  fence: number,
  release: { readonly dueAtMs: number; readonly isInterrupted: boolean; readonly error: string | null },
): Run | undefined {
  if (!isRunner(run, fence)) return undefined;
  const { dueAtMs, isInterrupted, error } = release;
  return moved(run, 'queued', {
    dueAtMs,
    error,
    progress: null,
    ...(isInterrupted && { attempt: run.attempt - 1, deadlineAtMs: null }),
  });
}

export interface RunEnd {
  readonly status: FinalStatus;
  readonly nowMs: number;
  readonly deliveries: readonly Delivery[];
  readonly skipReason?: SkipReason;
  readonly output?: string | null;
  readonly error?: string | null;
  readonly usage?: TokenUsage | null;
  readonly toolCalls?: readonly ToolCall[];
}

/** Ends a run, whoever has it. Its agent is free again in the same step. */
export function endRun(run: Run, { status, nowMs, deliveries, ...end }: RunEnd): Run {
  return moved(run, status, {
    skipReason: end.skipReason ?? null,
    output: end.output ?? null,
    error: end.error ?? null,
    usage: end.usage ?? null,
    toolCalls: end.toolCalls ?? [],
    finishedAtMs: nowMs,
    payload: null,
    task: null,
    activeAgentId: null,
    deadlineAtMs: null,
    progress: null,
    deliveries,
    dueAtMs: nextDelivery(deliveries),
  });
}

/** Asks a running run to stop; its runner, or the next one, ends it. */
export function withCancelRequest(run: Run, nowMs: number): Run | undefined {
  if (run.status !== 'running' || run.cancelRequestedAtMs !== null) return undefined;
  return changed(run, { cancelRequestedAtMs: nowMs });
}

/** Notes what became of the notifications. */
export function withDeliveries(run: Run, deliveries: readonly Delivery[]): Run {
  return changed(run, { deliveries, dueAtMs: nextDelivery(deliveries) });
}

function nextDelivery(deliveries: readonly Delivery[]): number | null {
  const pending = deliveries.filter(({ state }) => state === 'pending');
  return pending.length === 0 ? null : Math.min(...pending.map(({ dueAtMs }) => dueAtMs));
}

/**
 * Returns the notifications of an end. A run that was skipped because the agent was at work is told only to those who
 * asked for skipped runs by name.
 */
export function deliveriesOf(
  targets: readonly NotificationTarget[],
  end: { readonly status: FinalStatus; readonly skipReason?: SkipReason },
  nowMs: number,
): readonly Delivery[] {
  return targets
    .filter(({ statuses }) =>
      statuses.length === 0 ? end.skipReason !== 'already_running' : statuses.includes(end.status),
    )
    .map((target) => ({ target, state: 'pending', attempts: 0, dueAtMs: nowMs }));
}
