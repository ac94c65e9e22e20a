import type { Agent } from '../../domain/agent.ts';
import type { Run } from '../../domain/run.ts';
import { skipReasons } from '../../domain/run-status.ts';

/** Characters of a run's output that a mail shows. */
const mailOutputChars = 20_000;

const verbs = {
  succeeded: 'finished',
  failed: 'failed',
  timed_out: 'ran out of time',
  cancelled: 'was cancelled',
  skipped: 'was skipped',
  queued: 'is queued',
  running: 'is running',
} as const;

/** Returns the body of the webhook that tells of the end of a run: `{type, timestamp, data}` (Standard Webhooks). */
export function webhookBody(agent: Pick<Agent, 'id' | 'name'>, run: Run): string {
  return JSON.stringify({
    type: `agent.run.${run.status}`,
    timestamp: isoTime(run.finishedAtMs),
    data: {
      agent: { id: agent.id, name: agent.name },
      run: {
        id: run.id,
        trigger_type: run.triggerType,
        status: run.status,
        skip_reason: run.skipReason,
        attempt: run.attempt,
        queued_at: isoTime(run.queuedAtMs),
        started_at: isoTime(run.startedAtMs),
        finished_at: isoTime(run.finishedAtMs),
        output: run.output,
        error: run.error,
      },
    },
  });
}

export function mailSubject(agent: Pick<Agent, 'name'>, run: Run): string {
  return `Agent ${agent.name} ${verbs[run.status]}`;
}

export function mailText(agent: Pick<Agent, 'name'>, run: Run): string {
  const output = run.output ?? '';
  const shown =
    output.length > mailOutputChars ? `${output.slice(0, mailOutputChars).toWellFormed()} …` : output;
  const lines = [
    `The agent ${agent.name} ${verbs[run.status]}.`,
    '',
    `Run: ${run.id}`,
    `Trigger: ${run.triggerType}`,
    `Queued: ${isoTime(run.queuedAtMs)}`,
    ...(run.startedAtMs === null ? [] : [`Started: ${isoTime(run.startedAtMs)}`]),
    ...(run.finishedAtMs === null ? [] : [`Ended: ${isoTime(run.finishedAtMs)}`]),
    ...(run.skipReason === null ? [] : [`Reason: ${skipReasons[run.skipReason]}`]),
    ...(run.error === null ? [] : [`Error: ${run.error}`]),
    ...(shown === '' ? [] : ['', shown]),
  ];
  return `${lines.join('\n')}\n`;
}

function isoTime(timeMs: number | null): string | null {
  return timeMs === null ? null : new Date(timeMs).toISOString();
}
