import { ToolFailure } from '../../ports/tool.ts';

/** Returns a day as `2026-01-31`. @throws ToolFailure when it is none. */
export function readDay(text: string, name: string): string {
  const match = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text.trim());
  const day = match === null ? undefined : new Date(`${match[0]}T00:00:00.000Z`);
  if (day !== undefined && !Number.isNaN(day.getTime()) && day.toISOString().startsWith(match?.[0] ?? ' ')) {
    return day.toISOString().slice(0, 10);
  }
  throw new ToolFailure(`${name} must be a day such as 2026-01-31`);
}
