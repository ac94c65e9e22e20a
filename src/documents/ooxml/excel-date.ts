import { parseInstant } from '../../domain/documents/format-date.ts';

const dayMs = 86_400_000;
/** Day number of 1970-01-01 where day 1 is 1900-01-01. */
const unixEpochDay = 25_569;
/** 1900-03-01. Spreadsheets believe in a 1900-02-29, day 60, so earlier days are one lower. */
const firstTrueDay = 61;
const lastDay = 2_958_466;

/**
 * Returns the day number of a date (ECMA-376 Part 1, 18.17.4.1) in UTC, or undefined where there is none: before
 * 1900, after 9999, a time without a day, or no date at all. Text is ISO 8601, a number Unix milliseconds.
 */
export function excelDate(value: string | number): number | undefined {
  const instant = typeof value === 'string' && !value.includes('-') ? undefined : parseInstant(value);
  if (instant === undefined) return undefined;
  const day = instant / dayMs + unixEpochDay;
  const number = day < firstTrueDay ? day - 1 : day;
  return number >= 1 && number < lastDay ? number : undefined;
}

/** Returns the part of a day that a time of day is (`13:45`, `13:45:30`), or undefined where it is none. */
export function excelTime(value: string): number | undefined {
  const instant = value.includes('-') ? undefined : parseInstant(value);
  return instant === undefined ? undefined : instant / dayMs;
}

/** Returns the Unix milliseconds of a day number. */
export function instantOfExcelDate(day: number): number {
  return Math.round(((day < firstTrueDay ? day + 1 : day) - unixEpochDay) * dayMs);
}
