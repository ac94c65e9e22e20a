import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cycleStartMs } from '../../src/domain/budget-cycle.ts';

test.for([
  ['2026-03-15T12:00:00Z', 1, '2026-03-01T00:00:00Z'],
  ['2026-03-01T00:00:00Z', 1, '2026-03-01T00:00:00Z'],
  ['2026-02-28T23:59:59.999Z', 1, '2026-02-01T00:00:00Z'],
  ['2026-03-15T12:00:00Z', 16, '2026-02-16T00:00:00Z'],
  ['2026-01-15T12:00:00Z', 16, '2025-12-16T00:00:00Z'],
  ['2026-02-28T00:00:00Z', 31, '2026-02-28T00:00:00Z'],
  ['2026-02-27T23:59:59Z', 31, '2026-01-31T00:00:00Z'],
  ['2028-02-28T12:00:00Z', 31, '2028-01-31T00:00:00Z'],
  ['2028-02-29T00:00:00Z', 31, '2028-02-29T00:00:00Z'],
  ['2026-04-30T00:00:00Z', 31, '2026-04-30T00:00:00Z'],
  ['2026-03-30T00:00:00Z', 30, '2026-03-30T00:00:00Z'],
  ['2026-03-29T00:00:00Z', 30, '2026-02-28T00:00:00Z'],
] as const)('at %s with reset day %i the cycle started at %s', ([now, day, start]) => {
  expect(cycleStartMs(Date.parse(now), day)).toBe(Date.parse(start));
});

test('a cycle started at or before now, less than 32 days ago, and every moment in it has the same start', () => {
  const time = fc.integer({ min: Date.UTC(2000, 0), max: Date.UTC(2100, 0) });
  fc.assert(
    fc.property(time, fc.integer({ min: 1, max: 31 }), (now, day) => {
      const start = cycleStartMs(now, day);
      expect(start).toBeLessThanOrEqual(now);
      expect(now - start).toBeLessThan(32 * 86_400_000);
      expect(cycleStartMs(start, day)).toBe(start);
      expect(cycleStartMs(start - 1, day)).toBeLessThan(start);
    }),
  );
});
