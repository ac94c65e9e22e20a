/** Unix milliseconds of a date, in years 0 to 9999. */
export type Instant = number;

const isoDate =
  /^(\d{4})-(\d{2})(?:-(\d{2}))?(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?\s*(Z|[+-]\d{2}:?\d{2})?)?$/;
const clock = /^(\d{1,2}):(\d{2})(?::(\d{2}))?$/;
const minInstant = Date.parse('0000-01-01T00:00:00Z');
const maxInstant = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/**
 * Reads a date of a cell: ISO 8601 text (without an offset it is UTC; a time alone is one of 1970-01-01) or Unix
 * milliseconds. Undefined when it is neither, or no day of the calendar.
 */
export function parseInstant(value: string | number): Instant | undefined {
  if (typeof value === 'number') return value >= minInstant && value <= maxInstant ? value : undefined;
  const time = clock.exec(value);
  if (time !== null) return instantOf(1970, 1, 1, Number(time[1]), Number(time[2]), Number(time[3] ?? 0));
  const parts = isoDate.exec(value);
  if (parts === null) return undefined;
  const [, year, month, day = '1', hours = '0', minutes = '0', seconds = '0', , offset = 'Z'] = parts;
  const instant = instantOf(
    Number(year),
    Number(month),
    Number(day),
    Number(hours),
    Number(minutes),
    Number(seconds),
  );
  return instant === undefined ? undefined : instant - offsetMs(offset);
}

function instantOf(
  year: number,
  month: number,
  day: number,
  hours: number,
  minutes: number,
  seconds: number,
) {
  if (hours > 23 || minutes > 59 || seconds > 60) return undefined;
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  // The calendar rolls 31 February over to March: such a text is no date.
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return undefined;
  return date.setUTCHours(hours, minutes, seconds);
}

function offsetMs(offset: string): number {
  if (offset === 'Z') return 0;
  const digits = offset.replace(':', '');
  const minutes = Number(digits.slice(1, 3)) * 60 + Number(digits.slice(3, 5));
  return (digits.startsWith('-') ? -minutes : minutes) * 60_000;
}

/** `2026-03-05` */
export function formatDate(instant: Instant): string {
  const date = new Date(instant);
  return `${String(date.getUTCFullYear()).padStart(4, '0')}-${two(date.getUTCMonth() + 1)}-${two(date.getUTCDate())}`;
}

/** `14:30`, with seconds when there are any. */
export function formatTime(instant: Instant): string {
  const date = new Date(instant);
  const seconds = date.getUTCSeconds();
  return `${two(date.getUTCHours())}:${two(date.getUTCMinutes())}${seconds === 0 ? '' : `:${two(seconds)}`}`;
}

/** `2026-03-05 14:30`, with seconds when there are any. */
export function formatDateTime(instant: Instant): string {
  return `${formatDate(instant)} ${formatTime(instant)}`;
}

function two(value: number): string {
  return value < 10 ? `0${value}` : String(value);
}
