import { Cron } from 'croner';

/** When an agent is to run. */
export interface Schedule {
  /** Five fields: minute, hour, day of month, month, day of week. */
  readonly cron: string;
  /** IANA name. */
  readonly timezone: string;
}

/**
 * Returns the first due time after `afterMs`, Unix milliseconds, or null when there is none.
 *
 * Fields are read by the wall clock of the time zone. Where the clock is put forward, a time that does not exist is due
 * at the first moment after the gap; where it is put back, a fixed time is due once, at its first occurrence, and one
 * that repeats every hour is due in both. A day that a month does not have (31, 29 February) is left out; `L` is the
 * last day.
 */
export function nextDueMs(schedule: Schedule, afterMs: number): number | null {
  return cronOf(schedule).nextRun(new Date(afterMs))?.getTime() ?? null;
}

/** Returns the last due time at or before `nowMs`, or null when there was none. */
export function lastDueMs(schedule: Schedule, nowMs: number): number | null {
  const [last] = cronOf(schedule).previousRuns(1, new Date(nowMs + 1));
  return last?.getTime() ?? null;
}

/** Returns what is wrong with a cron expression, in words that follow "must", or undefined. */
export function cronProblem(cron: string): string | undefined {
  const requirement = 'be a cron expression of five fields, such as "30 8 * * 1-5"';
  if (!/^\S+(?: +\S+){4}$/.test(cron)) return requirement;
  try {
    cronOf({ cron, timezone: 'UTC' });
  } catch {
    return requirement;
  }
  // A day that no month has, such as 30 February.
  return nextDueMs({ cron, timezone: 'UTC' }, 0) === null ? 'have a time at which it is due' : undefined;
}

export function isTimezone(name: string): boolean {
  // An offset such as +02:00 is one to Intl, but follows no clock change.
  if (!/^[A-Za-z]/.test(name)) return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

export interface DueDecision {
  /** The time for which the agent runs now, or that was missed. */
  readonly dueMs: number;
  /** It was missed by more than the catch-up window: there is no run for it. */
  readonly isMissed: boolean;
  /** When it is next due. */
  readonly nextMs: number | null;
}

/**
 * Says what follows when a schedule is found to be due.
 *
 * Catch-up rule: of all times that were missed, however many, one run makes up for the last one when that was missed
 * by no more than `catchUpWindowMs`; the others are dropped.
 */
export function decideDue(
  schedule: Schedule,
  dueMs: number,
  nowMs: number,
  catchUpWindowMs: number,
): DueDecision {
  const lastMs = Math.max(dueMs, lastDueMs(schedule, nowMs) ?? dueMs);
  return {
    dueMs: lastMs,
    isMissed: nowMs - lastMs > catchUpWindowMs,
    nextMs: nextDueMs(schedule, nowMs),
  };
}

const crons = new Map<string, Cron>();
const cronsMax = 1_000;

function cronOf({ cron, timezone }: Schedule): Cron {
  const key = `${timezone} ${cron}`;
  let parsed = crons.get(key);
  if (parsed === undefined) {
    parsed = new Cron(cron, { timezone, mode: '5-part' });
    if (crons.size >= cronsMax) crons.clear();
    crons.set(key, parsed);
  }
  return parsed;
}
