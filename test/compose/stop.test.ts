import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { stopWithin } from '../../src/compose/stop.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe('stopping', () => {
  test.for([
    [30_000, 28_000],
    [4_000, 3_000],
    [0, 0],
  ] as const)('in %i ms leaves %i ms to calls, and none after them', async ([totalMs, workMs]) => {
    const left: number[] = [];
    await stopWithin(totalMs, async ({ leftMs }) => {
      left.push(leftMs());
      vi.advanceTimersByTime(workMs + 1);
      left.push(leftMs());
    });
    expect(left).toEqual([workMs, 0]);
  });

  test.for([
    [30_000, 30_000],
    [0, 1_000],
  ] as const)('in %i ms fails after %i ms', async ([totalMs, limitMs]) => {
    let outcome = 'open';
    const stopping = stopWithin(totalMs, () => new Promise(() => {})).catch((error: Error) => {
      outcome = error.message;
    });
    await vi.advanceTimersByTimeAsync(limitMs - 1);
    expect(outcome).toBe('open');
    await vi.advanceTimersByTimeAsync(1);
    await stopping;
    expect(outcome).toBe(`stopping took longer than ${limitMs} ms`);
  });

  test('fails as its steps do', async () => {
    await expect(stopWithin(1_000, () => Promise.reject(new Error('stuck')))).rejects.toThrow('stuck');
  });
});
