import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  deliveriesOf,
  endRun,
  isFinal,
  type Run,
  releaseRun,
  renewRun,
  startRun,
  withCancelRequest,
} from '../../src/domain/run.ts';
import { type RunStatus, runTransitions } from '../../src/domain/run-status.ts';
import { aRun } from '../contract/agent-records.ts';

const nowMs = 1_000_000;
const task = { prompt: 'Go.', model: null, mode: 'auto', scopes: [] } as const;
const start = { nowMs, leaseEndsAtMs: nowMs + 20_000, timeLimitMs: 300_000, task };
const queued = aRun({ queuedAtMs: nowMs, dueAtMs: nowMs });
const running = startRun(queued, start) as Run;
const progress = { content: '', steps: [] };

const ends = ['succeeded', 'failed', 'cancelled', 'timed_out', 'skipped'] as const;

describe('a run', () => {
  test('that has ended goes nowhere', () => {
    for (const status of ends) {
      expect(runTransitions[status]).toEqual([]);
      const over = aRun({ status, dueAtMs: null, activeAgentId: null });
      expect(startRun(over, start)).toBeUndefined();
      expect(renewRun(over, 0, { leaseEndsAtMs: 1, progress })).toBeUndefined();
      expect(releaseRun(over, 0, { dueAtMs: 1, isInterrupted: true, error: null })).toBeUndefined();
      expect(withCancelRequest(over, 1)).toBeUndefined();
      for (const next of ends) {
        expect(() => endRun(over, { status: next, nowMs, deliveries: [] })).toThrow('cannot become');
      }
    }
  });

  test.for<[RunStatus, (typeof ends)[number], boolean]>([
    ['queued', 'skipped', true],
    ['queued', 'cancelled', true],
    ['queued', 'failed', true],
    ['queued', 'succeeded', false],
    ['queued', 'timed_out', false],
    ['running', 'skipped', false],
    ['running', 'succeeded', true],
    ['running', 'failed', true],
    ['running', 'timed_out', true],
    ['running', 'cancelled', true],
  ])('that is %s may become %s: %s', ([from, to, isAllowed]) => {
    const step = () => endRun(from === 'queued' ? queued : running, { status: to, nowMs, deliveries: [] });
    if (isAllowed) expect(step()).toMatchObject({ status: to, activeAgentId: null, dueAtMs: null });
    else expect(step).toThrow('cannot become');
  });

  test('starts when it is due, and again only when its lease has ended; each start is a new runner', () => {
    expect(startRun(aRun({ dueAtMs: nowMs + 1 }), start)).toBeUndefined();
    expect(running).toMatchObject({ status: 'running', attempt: 1, fence: 1, startedAtMs: nowMs });
    expect(startRun(running, { ...start, nowMs: nowMs + 19_999 })).toBeUndefined();
    const again = startRun(running, { ...start, nowMs: nowMs + 20_000 });
    expect(again).toMatchObject({ attempt: 2, fence: 2, startedAtMs: nowMs, deadlineAtMs: nowMs + 320_000 });
    expect(renewRun(again as Run, 1, { leaseEndsAtMs: 1, progress })).toBeUndefined();
  });

  test('keeps the task of its first start until it ends', () => {
    const other = { ...task, prompt: 'Stop.' };
    const again = startRun(running, { ...start, nowMs: nowMs + 20_000, task: other }) as Run;
    expect(again.task).toEqual(task);
    expect(endRun(again, { status: 'succeeded', nowMs, deliveries: [] }).task).toBeNull();
  });

  test('keeps its deadline when it is tried again, and gets a new one after an interruption', () => {
    const retried = releaseRun(running, 1, { dueAtMs: nowMs + 5, isInterrupted: false, error: 'x' }) as Run;
    expect(retried).toMatchObject({ status: 'queued', attempt: 1, error: 'x', activeAgentId: 'agent-1' });
    expect(startRun(retried, { ...start, nowMs: nowMs + 9 })?.deadlineAtMs).toBe(running.deadlineAtMs);
    const drained = releaseRun(running, 1, { dueAtMs: nowMs + 5, isInterrupted: true, error: null }) as Run;
    expect(drained.attempt).toBe(0);
    expect(startRun(drained, { ...start, nowMs: nowMs + 9 })?.deadlineAtMs).toBe(nowMs + 9 + 300_000);
  });

  test('counts every change, and holds its agent exactly while it is queued or running', () => {
    const step = fc.constantFrom('start', 'renew', 'release', 'cancel', ...ends);
    fc.assert(
      fc.property(
        fc.array(step, { maxLength: 30 }),
        fc.array(fc.nat(40_000), { maxLength: 30 }),
        (steps, waits) => {
          let run: Run = queued;
          let time = nowMs;
          for (const [index, name] of steps.entries()) {
            time += waits[index] ?? 0;
            const next = apply(run, name, time);
            if (next === undefined) continue;
            expect(next.revision).toBe(run.revision + 1);
            expect(isFinal(run)).toBe(false);
            if (next.status !== run.status) expect(runTransitions[run.status]).toContain(next.status);
            expect(next.activeAgentId !== null).toBe(next.status === 'queued' || next.status === 'running');
            expect(next.fence).toBeGreaterThanOrEqual(run.fence);
            run = next;
          }
        },
      ),
    );
  });
});

function apply(run: Run, step: string, time: number): Run | undefined {
  const { fence } = run;
  switch (step) {
    case 'start':
      return startRun(run, { nowMs: time, leaseEndsAtMs: time + 20_000, timeLimitMs: 1_000, task });
    case 'renew':
      return renewRun(run, fence, { leaseEndsAtMs: time + 20_000, progress });
    case 'release':
      return releaseRun(run, fence, { dueAtMs: time, isInterrupted: time % 2 === 0, error: null });
    case 'cancel':
      return withCancelRequest(run, time);
    default:
      try {
        return endRun(run, { status: step as (typeof ends)[number], nowMs: time, deliveries: [] });
      } catch {
        return undefined;
      }
  }
}

describe('who is told of an end', () => {
  const all = { kind: 'email', address: 'all@example.com', statuses: [] } as const;
  const failures = {
    kind: 'email',
    address: 'failures@example.com',
    statuses: ['failed', 'timed_out'],
  } as const;
  const skips = { kind: 'email', address: 'skips@example.com', statuses: ['skipped'] } as const;

  test.for<[Parameters<typeof deliveriesOf>[1], readonly object[]]>([
    [{ status: 'succeeded' }, [all]],
    [{ status: 'failed' }, [all, failures]],
    [{ status: 'timed_out' }, [all, failures]],
    [{ status: 'cancelled' }, [all]],
    [{ status: 'skipped', skipReason: 'organization_suspended' }, [all, skips]],
    [{ status: 'skipped', skipReason: 'already_running' }, [skips]],
  ])('%j', ([end, told]) => {
    const targets = deliveriesOf([all, failures, skips], end, 7).map(({ target }) => target);
    expect(targets).toEqual(told);
  });

  test('a run waits for a worker as long as a notification is pending', () => {
    const deliveries = deliveriesOf([all], { status: 'succeeded' }, 7);
    expect(endRun(running, { status: 'succeeded', nowMs: 7, deliveries }).dueAtMs).toBe(7);
  });
});
