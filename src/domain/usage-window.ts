import type { UsageLimit, UsageUnit, UsageWindow } from './organization.ts';

/** A calendar window (UTC) of one subject, in which one unit is counted. */
export interface UsageAccount {
  /** `actor:<id>` or `organization:<id>`. */
  readonly subject: string;
  readonly unit: UsageUnit;
  readonly window: UsageWindow;
  readonly startMs: number;
}

export function usageAccount(subject: string, limit: UsageLimit, nowMs: number): UsageAccount {
  return { subject, unit: limit.unit, window: limit.window, startMs: windowStartMs(limit.window, nowMs) };
}

/** Returns when the hour, day or month (UTC) that holds `nowMs` started; Unix milliseconds. */
function windowStartMs(window: UsageWindow, nowMs: number): number {
  const now = new Date(nowMs);
  const [year, month, day] = [now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate()];
  if (window === 'month') return Date.UTC(year, month, 1);
  return Date.UTC(year, month, day, window === 'hour' ? now.getUTCHours() : 0);
}

/** Returns the whole seconds, at least 1, from `nowMs` to the end of the window that started at `startMs`. */
export function secondsToWindowEnd(window: UsageWindow, startMs: number, nowMs: number): number {
  return Math.max(1, Math.ceil((windowEndMs(window, startMs) - nowMs) / 1_000));
}

function windowEndMs(window: UsageWindow, startMs: number): number {
  if (window === 'hour') return startMs + 3_600_000;
  if (window === 'day') return startMs + 86_400_000;
  const start = new Date(startMs);
  return Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + 1, 1);
}
