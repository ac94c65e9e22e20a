import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cronProblem, decideDue, isTimezone, lastDueMs, nextDueMs } from '../../src/domain/schedule.ts';

const at = (text: string) => Date.parse(text);
const iso = (ms: number | null) => (ms === null ? null : new Date(ms).toISOString().slice(0, 16));

function nextTimes(cron: string, timezone: string, after: string, count: number): (string | null)[] {
  const times: (string | null)[] = [];
  let ms: number | null = at(after);
  for (let n = 0; n < count && ms !== null; n += 1) {
    ms = nextDueMs({ cron, timezone }, ms);
    times.push(iso(ms));
  }
  return times;
}

describe('over a change of the clock', () => {
  test.for<[string, string, string, string, readonly string[]]>([
    [
      'a time that the clock skips is due right after the gap, once',
      '30 2 * * *',
      'Europe/Berlin',
      '2026-03-27T12:00Z',
      ['2026-03-28T01:30', '2026-03-29T01:00', '2026-03-30T00:30'],
    ],
    [
      'a time that comes twice is due at its first occurrence only',
      '30 2 * * *',
      'Europe/Berlin',
      '2026-10-23T12:00Z',
      ['2026-10-24T00:30', '2026-10-25T00:30', '2026-10-26T01:30'],
    ],
    [
      'an hourly one is due in both hours that have the same name',
      '30 * * * *',
      'Europe/Berlin',
      '2026-10-24T23:00Z',
      ['2026-10-24T23:30', '2026-10-25T00:30', '2026-10-25T01:30', '2026-10-25T02:30'],
    ],
    [
      'an hourly one loses the hour that is skipped, and no other',
      '0 * * * *',
      'America/New_York',
      '2026-03-08T05:30Z',
      ['2026-03-08T06:00', '2026-03-08T07:00', '2026-03-08T08:00'],
    ],
    [
      'the rest of the day keeps its wall time',
      '0 9 * * *',
      'America/New_York',
      '2026-03-07T00:00Z',
      ['2026-03-07T14:00', '2026-03-08T13:00', '2026-03-09T13:00'],
    ],
    [
      'a clock that moves by half an hour is followed',
      '15 2 * * *',
      'Australia/Lord_Howe',
      '2026-10-02T18:00Z',
      ['2026-10-03T15:30', '2026-10-04T15:15'],
    ],
    [
      'a zone without changes has none',
      '30 2 * * *',
      'Asia/Kolkata',
      '2026-03-28T00:00Z',
      ['2026-03-28T21:00', '2026-03-29T21:00', '2026-03-30T21:00'],
    ],
  ])('%s', ([, cron, timezone, after, expected]) => {
    expect(nextTimes(cron, timezone, after, expected.length)).toEqual(expected);
  });
});

describe('at a month’s end', () => {
  test.for<[string, string, string, readonly string[]]>([
    [
      'months without a 31st are left out',
      '0 0 31 * *',
      '2026-01-31T00:00Z',
      ['2026-03-31T00:00', '2026-05-31T00:00'],
    ],
    [
      'L is the last day',
      '0 0 L * *',
      '2026-01-31T00:00Z',
      ['2026-02-28T00:00', '2026-03-31T00:00', '2026-04-30T00:00'],
    ],
    [
      '29 February comes in leap years',
      '0 0 29 2 *',
      '2026-01-01T00:00Z',
      ['2028-02-29T00:00', '2032-02-29T00:00'],
    ],
    ['the year ends', '59 23 31 12 *', '2026-12-31T23:58Z', ['2026-12-31T23:59', '2027-12-31T23:59']],
  ])('%s', ([, cron, after, expected]) => {
    expect(nextTimes(cron, 'UTC', after, expected.length)).toEqual(expected);
  });
});

test('the next time is strictly after, the last one at or before', () => {
  const schedule = { cron: '0 12 * * *', timezone: 'UTC' };
  const noon = at('2026-06-15T12:00Z');
  expect(nextDueMs(schedule, noon - 1)).toBe(noon);
  expect(iso(nextDueMs(schedule, noon))).toBe('2026-06-16T12:00');
  expect(lastDueMs(schedule, noon)).toBe(noon);
  expect(iso(lastDueMs(schedule, noon - 1))).toBe('2026-06-14T12:00');
});

test('between any time and its next due time no other is due', () => {
  const zones = fc.constantFrom(
    'UTC',
    'Europe/Berlin',
    'America/New_York',
    'Australia/Lord_Howe',
    'Asia/Kolkata',
  );
  const crons = fc.constantFrom('*/15 * * * *', '30 2 * * *', '0 0 1 * *', '5 4 * * 1-5', '0 */6 * * *');
  const times = fc.integer({ min: at('2026-01-01T00:00Z'), max: at('2028-01-01T00:00Z') });
  fc.assert(
    fc.property(zones, crons, times, (timezone, cron, ms) => {
      const next = nextDueMs({ cron, timezone }, ms);
      return next !== null && next > ms && (lastDueMs({ cron, timezone }, next - 1) ?? 0) <= ms;
    }),
    { numRuns: 300 },
  );
});

describe('what follows when a schedule is found to be due', () => {
  const schedule = { cron: '0 * * * *', timezone: 'UTC' };
  const hourMs = 3_600_000;
  const decide = (due: string, now: string) => {
    const { dueMs, isMissed, nextMs } = decideDue(schedule, at(due), at(now), hourMs);
    return [iso(dueMs), isMissed, iso(nextMs)];
  };

  test.for<[string, string, string, [string, boolean, string]]>([
    [
      'in time: it runs',
      '2026-06-15T10:00Z',
      '2026-06-15T10:00Z',
      ['2026-06-15T10:00', false, '2026-06-15T11:00'],
    ],
    [
      'a little late: it runs',
      '2026-06-15T10:00Z',
      '2026-06-15T10:59Z',
      ['2026-06-15T10:00', false, '2026-06-15T11:00'],
    ],
    [
      'many missed: one run for the last',
      '2026-06-01T10:00Z',
      '2026-06-15T10:20Z',
      ['2026-06-15T10:00', false, '2026-06-15T11:00'],
    ],
  ])('%s', ([, due, now, expected]) => expect(decide(due, now)).toEqual(expected));

  test('missed by the window: it runs; by a millisecond more: not', () => {
    const daily = { cron: '0 10 * * *', timezone: 'UTC' };
    const due = at('2026-06-15T10:00Z');
    expect(decideDue(daily, due, due + hourMs, hourMs).isMissed).toBe(false);
    expect(decideDue(daily, due, due + hourMs + 1, hourMs)).toEqual({
      dueMs: due,
      isMissed: true,
      nextMs: due + 24 * hourMs,
    });
  });
});

describe('what a caller may write', () => {
  test.for(['* * * * *', '*/5 * * * *', '0 8 * * 1-5', '0 0 L * *', '30 6 1,15 * *', '0 0 * * MON'])(
    '%s is a schedule',
    (cron) => expect(cronProblem(cron)).toBeUndefined(),
  );

  test.for([
    '',
    '* * * *',
    '* * * * * *',
    '@daily',
    '61 * * * *',
    '*/0 * * * *',
    'a b c d e',
    '0 0 30 2 *',
    '* * * * 9',
  ])('%j is none', (cron) => expect(cronProblem(cron)).toBeTypeOf('string'));

  test.for<[string, boolean]>([
    ['Europe/Berlin', true],
    ['UTC', true],
    ['America/Argentina/Buenos_Aires', true],
    ['Mars/Olympus', false],
    ['+02:00', false],
    ['', false],
  ])('time zone %j: %s', ([name, isOne]) => expect(isTimezone(name)).toBe(isOne));
});
