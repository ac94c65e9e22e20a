import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { UsageWindow } from '../../src/domain/organization.ts';
import { secondsToWindowEnd, usageAccount } from '../../src/domain/usage-window.ts';

const start = (window: UsageWindow, nowMs: number) =>
  usageAccount('actor:a', { unit: 'tokens', limit: 1, window }, nowMs).startMs;

describe('a usage window', () => {
  test.for<readonly [UsageWindow, string, string, number]>([
    ['hour', '2026-02-28T23:59:59.999Z', '2026-02-28T23:00:00.000Z', 1],
    ['day', '2026-02-28T23:59:59.999Z', '2026-02-28T00:00:00.000Z', 1],
    ['month', '2026-02-28T23:59:59.999Z', '2026-02-01T00:00:00.000Z', 1],
    ['month', '2026-12-01T00:00:00.000Z', '2026-12-01T00:00:00.000Z', 31 * 86_400],
    ['hour', '2026-06-01T10:00:00.001Z', '2026-06-01T10:00:00.000Z', 3_600],
  ])('of an %s that holds %s starts at %s and ends in %i s', ([window, now, expected, seconds]) => {
    const nowMs = Date.parse(now);
    const startMs = start(window, nowMs);
    expect(new Date(startMs).toISOString()).toBe(expected);
    expect(secondsToWindowEnd(window, startMs, nowMs)).toBe(seconds);
  });

  test('holds every moment up to its end, where the next one starts', () => {
    const window = fc.constantFrom<UsageWindow>('hour', 'day', 'month');
    const time = fc.integer({ min: 0, max: Date.UTC(2100, 0) });
    fc.assert(
      fc.property(window, time, (kind, nowMs) => {
        const startMs = start(kind, nowMs);
        const endMs = startMs + secondsToWindowEnd(kind, startMs, startMs) * 1_000;
        expect(startMs).toBeLessThanOrEqual(nowMs);
        expect(nowMs).toBeLessThan(endMs);
        expect(start(kind, endMs)).toBe(endMs);
        expect(start(kind, endMs - 1)).toBe(startMs);
      }),
    );
  });
});
