/**
 * Returns when the budget cycle that holds `nowMs` started: 00:00 UTC on the reset day of this or the last month,
 * a reset day beyond a month's end meaning its last day.
 */
export function cycleStartMs(nowMs: number, resetDay = 1): number {
  const now = new Date(nowMs);
  const start = dayOfMonthMs(now.getUTCFullYear(), now.getUTCMonth(), resetDay);
  return start <= nowMs ? start : dayOfMonthMs(now.getUTCFullYear(), now.getUTCMonth() - 1, resetDay);
}

function dayOfMonthMs(year: number, month: number, day: number): number {
  const lastDay = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  return Date.UTC(year, month, Math.min(day, lastDay));
}
