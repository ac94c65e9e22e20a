const dayMs = 86_400_000;
/** Day number of 1970-01-01 where day 1 is 1900-01-01. */
const unixEpochDay = 25_569;
/** 1900-03-01. Spreadsheets believe in a 1900-02-29, day 60, so earlier days are one lower. */
const firstTrueDay = 61;
const lastDay = 2_958_466;

const isoDate =
  /^(\d{4})-(\d{2})-(\d{2})(?:[Tt ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?\s?([Zz]|[+-]\d{2}:?\d{2})?)?$/;
const isoTime = /^(\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?$/;

/**
 * Returns the day number of a date (ECMA-376 Part 1, 18.17.4.1) in UTC, or undefined where there is none: before
 * 1900, after 9999, or no date at all. Text is ISO 8601, without an offset taken as UTC; a number is Unix milliseconds.
 */
export function excelDate(value: string | number): number | undefined {
  const timeMs = typeof value === 'number' ? value : parseIsoDate(value);
  if (timeMs === undefined) return undefined;
  const day = timeMs / dayMs + unixEpochDay;
  const number = day < firstTrueDay ? day - 1 : day;
  return number >= 1 && number < lastDay ? number : undefined;
}

/** Returns the part of a day that a time of day is (`13:45`, `13:45:30`), or undefined where it is none. */
export function excelTime(value: string): number | undefined {
  const match = isoTime.exec(value);
  if (match === null) return undefined;
  const [, hours = '', minutes = '', seconds = '0', fraction = '0'] = match;
  if (Number(hours) > 23 || Number(minutes) > 59 || Number(seconds) > 59) return undefined;
  const total = Number(hours) * 3600 + Number(minutes) * 60 + Number(`${seconds}.${fraction}`);
  return total / 86_400;
}

function parseIsoDate(text: string): number | undefined {
  const match = isoDate.exec(text);
  if (match === null) return undefined;
  const [, year = '', month = '', day = '', hours = '0', minutes = '0', seconds = '0', fraction = '', zone] =
    match;
  const date = new Date(0);
  date.setUTCFullYear(Number(year), Number(month) - 1, Number(day));
  if (date.getUTCMonth() !== Number(month) - 1 || date.getUTCDate() !== Number(day)) return undefined;
  if (Number(hours) > 23 || Number(minutes) > 59 || Number(seconds) > 59) return undefined;
  const offset = zone === undefined || /z/i.test(zone) ? 0 : offsetMinutes(zone);
  const clockMs = ((Number(hours) * 60 + Number(minutes) - offset) * 60 + Number(seconds)) * 1000;
  return date.getTime() + clockMs + Math.round(Number(`0.${fraction || '0'}`) * 1000);
}

function offsetMinutes(zone: string): number {
  const minutes = Number(zone.slice(1, 3)) * 60 + Number(zone.slice(-2));
  return zone.startsWith('-') ? -minutes : minutes;
}
