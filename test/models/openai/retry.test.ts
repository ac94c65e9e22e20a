import { describe, expect, test } from 'vitest';
import { isTransientStatus, retryDelayMs } from '../../../src/models/openai/retry.ts';

const rules = { firstDelayMs: 100, longestDelayMs: 1_000, longestServerDelayMs: 5_000 };

describe('the wait before another attempt', () => {
  test.for([
    [1, null, 1, 200],
    [2, null, 1, 400],
    [9, null, 1, 1_000],
    [2, null, 0.25, 100],
    [1, '2', 0, 2_000],
    [1, '2', 1, 2_100],
    [1, '5', 0, 5_000],
    [1, '6', 0, undefined],
    [1, 'Wed, 21 Oct 2026 07:28:00 GMT', 1, 200],
    [1, '-1', 1, 200],
  ] as const)('%i with Retry-After %s and jitter %d is %s ms', ([attempt, retryAfter, random, expected]) => {
    expect(retryDelayMs(rules, attempt, retryAfter, random)).toBe(expected);
  });
});

test.for([
  [200, false],
  [400, false],
  [401, false],
  [404, false],
  [408, true],
  [429, true],
  [500, true],
  [529, true],
] as const)('status %i passes with time: %s', ([status, expected]) => {
  expect(isTransientStatus(status)).toBe(expected);
});
