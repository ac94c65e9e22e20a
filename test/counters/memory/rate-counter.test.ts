import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createHitLog } from '../../../src/counters/memory/hit-log.ts';
import { createMemoryRateCounter } from '../../../src/counters/memory/rate-counter.ts';
import type { RateVerdict, RateWindow } from '../../../src/ports/counters.ts';
import { describeRateCounterContract } from '../../contract/rate-counter-contract.ts';

describeRateCounterContract('the counter in memory', async () => createMemoryRateCounter());

/** A sliding window as one would write it down. */
function createModel() {
  const hits = new Map<string, number[]>();
  function live(key: string, window: RateWindow, nowMs: number): number[] {
    return (hits.get(key) ?? []).filter((atMs) => atMs + window.windowMs > nowMs);
  }
  function verdict(times: number[], allowed: boolean, window: RateWindow, nowMs: number): RateVerdict {
    const index = Math.max(0, times.length - Math.max(1, window.limit));
    const oldest = times[index];
    const resetAtMs = oldest === undefined ? nowMs : oldest + window.windowMs;
    return { allowed, used: times.length, resetAtMs };
  }
  return {
    hit(key: string, window: RateWindow, nowMs: number): RateVerdict {
      const times = live(key, window, nowMs);
      const allowed = times.length < window.limit;
      if (allowed) times.push(nowMs);
      hits.set(key, times);
      return verdict(times, allowed, window, nowMs);
    },
    peek(key: string, window: RateWindow, nowMs: number): RateVerdict {
      const times = live(key, window, nowMs);
      return verdict(times, times.length < window.limit, window, nowMs);
    },
  };
}

describe('the counter in memory slides', () => {
  test('it answers every sequence of hits as a plain list of times would', async () => {
    const pause = fc.oneof(
      fc.integer({ min: 0, max: 3 }),
      fc.integer({ min: 0, max: 200 }),
      fc.constant(1_000),
    );
    const step = fc.record({
      pause,
      key: fc.constantFrom('a', 'b', 'c'),
      limit: fc.constantFrom(0, 1, 2, 5, 40),
      isPeek: fc.integer({ min: 0, max: 4 }).map((die) => die === 0),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 300 }), async (steps) => {
        const counter = createMemoryRateCounter();
        const model = createModel();
        let nowMs = Date.UTC(2026, 0, 1);
        for (const { pause, key, limit, isPeek } of steps) {
          nowMs += pause;
          const window = { limit, windowMs: 500 };
          const operation = isPeek ? 'peek' : 'hit';
          expect(await counter[operation](key, window, nowMs)).toEqual(model[operation](key, window, nowMs));
        }
      }),
    );
  });

  test('a hit leaves the window after exactly its length, to the millisecond', async () => {
    const counter = createMemoryRateCounter();
    const window = { limit: 1, windowMs: 3_600_000 };
    const { resetAtMs } = await counter.hit('key', window, 1_000_000);
    expect(resetAtMs).toBe(4_600_000);
    expect((await counter.hit('key', window, 4_599_999)).allowed).toBe(false);
    expect((await counter.hit('key', window, 4_600_000)).allowed).toBe(true);
  });

  test('a clock that steps back neither frees nor loses a place', async () => {
    const counter = createMemoryRateCounter();
    const window = { limit: 2, windowMs: 1_000 };
    await counter.hit('key', window, 10_000);
    expect(await counter.hit('key', window, 9_000)).toEqual({ allowed: true, used: 2, resetAtMs: 11_000 });
    expect((await counter.hit('key', window, 9_500)).allowed).toBe(false);
    expect((await counter.hit('key', window, 11_000)).allowed).toBe(true);
  });

  test('keys whose hits are all older than their window are forgotten', async () => {
    const counter = createMemoryRateCounter();
    const window = { limit: 10, windowMs: 1_000 };
    for (let index = 0; index < 1_000; index += 1) await counter.hit(`old-${index}`, window, 5_000);
    expect(counter.keys).toBe(1_000);
    for (let index = 0; index < 600; index += 1) await counter.hit('busy', window, 7_000);
    expect(counter.keys).toBe(1);
  });
});

describe('the log of hits', () => {
  test('a hit costs at most four bytes within an hour, and what left the window none', () => {
    const log = createHitLog();
    for (let index = 0; index < 1_000_000; index += 1) log.add(Math.floor(index * 3.6));
    expect(log.bytes).toBeLessThanOrEqual(2_097_152);
    log.dropUntil(3_599_000);
    expect(log.size).toBeLessThan(1_000);
    for (let drops = 0; drops < 30; drops += 1) log.dropUntil(3_599_000);
    expect(log.bytes).toBeLessThanOrEqual(1_024);
    log.dropUntil(Number.POSITIVE_INFINITY);
    expect(log.size).toBe(0);
  });
});
