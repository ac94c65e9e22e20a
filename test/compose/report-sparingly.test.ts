import { describe, expect, test } from 'vitest';
import { reportSparingly } from '../../src/compose/report-sparingly.ts';

describe('what reports sparingly', () => {
  test('tells the same failure once a minute, and each other one at once', () => {
    const told: string[] = [];
    let nowMs = 0;
    const report = reportSparingly((message, cause) => told.push(`${message}: ${cause}`), {
      now: () => nowMs,
    });
    for (const atMs of [0, 500, 59_999, 60_000, 119_999]) {
      nowMs = atMs;
      report('the queue failed', new Error('away'));
    }
    report('the queue failed', new Error('full'));
    report('a worker failed', new Error('away'));
    expect(told).toEqual([
      'the queue failed: Error: away',
      'the queue failed: Error: away',
      'the queue failed: Error: full',
      'a worker failed: Error: away',
    ]);
  });
});
