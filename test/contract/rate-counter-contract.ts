import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { RateCounter, RateStep } from '../../src/ports/counters.ts';

const hour = 3_600_000;
/** The start of an hour, so that a fixed bucket and a sliding window begin together. */
const start = Date.UTC(2026, 0, 1);

/**
 * The invariants of `ports/counters.ts` that hold for a counter of one process and of several alike.
 *
 * @param hitsAtOnce in the test of the highest limit, where one after the other would take a remote counter minutes.
 */
export function describeRateCounterContract(
  name: string,
  open: () => Promise<RateCounter>,
  { hitsAtOnce = 1 }: { readonly hitsAtOnce?: number } = {},
): void {
  describe(`${name} counts hits`, () => {
    let counter: RateCounter;

    beforeEach(async () => {
      counter = await open();
    });

    afterEach(() => counter.close());

    test('hits are allowed up to the limit and refused after it', async () => {
      const window = { limit: 3, windowMs: hour };
      for (const used of [1, 2, 3]) {
        expect(await counter.hit('key', window, start + used)).toMatchObject({ allowed: true, used });
      }
      expect(await counter.hit('key', window, start + 4)).toMatchObject({ allowed: false, used: 3 });
    });

    test('a refused hit is not counted', async () => {
      const window = { limit: 1, windowMs: hour };
      await counter.hit('key', window, start);
      for (let hit = 0; hit < 5; hit += 1) await counter.hit('key', window, start + 1);
      expect(await counter.peek('key', { limit: 2, windowMs: hour }, start + 2)).toMatchObject({
        allowed: true,
        used: 1,
      });
    });

    test('of 50 parallel hits for 10 places exactly 10 are allowed', async () => {
      const window = { limit: 10, windowMs: hour };
      const hits = Array.from({ length: 50 }, () => counter.hit('key', window, start));
      const verdicts = await Promise.all(hits);
      expect(verdicts.filter(({ allowed }) => allowed)).toHaveLength(10);
    });

    test('peeking changes nothing', async () => {
      const window = { limit: 2, windowMs: hour };
      expect(await counter.peek('key', window, start)).toMatchObject({ allowed: true, used: 0 });
      await counter.hit('key', window, start);
      for (let peek = 0; peek < 5; peek += 1) {
        expect(await counter.peek('key', window, start)).toMatchObject({ allowed: true, used: 1 });
      }
      await counter.hit('key', window, start);
      expect(await counter.peek('key', window, start)).toMatchObject({ allowed: false, used: 2 });
    });

    test('a place is free again at the time that a refusal names', async () => {
      const window = { limit: 2, windowMs: hour };
      await counter.hit('key', window, start + 10);
      await counter.hit('key', window, start + 20);
      const { allowed, resetAtMs } = await counter.hit('key', window, start + 30);
      expect(allowed).toBe(false);
      expect(await counter.peek('key', window, resetAtMs - 1)).toMatchObject({ allowed: false });
      expect(await counter.hit('key', window, resetAtMs)).toMatchObject({ allowed: true });
    });

    test('a changed limit holds at the next hit', async () => {
      for (let hit = 0; hit < 5; hit += 1) await counter.hit('key', { limit: 5, windowMs: hour }, start);
      expect(await counter.hit('key', { limit: 2, windowMs: hour }, start)).toMatchObject({
        allowed: false,
        used: 5,
      });
      expect(await counter.hit('key', { limit: 6, windowMs: hour }, start)).toMatchObject({
        allowed: true,
        used: 6,
      });
    });

    test('keys do not touch each other', async () => {
      const window = { limit: 1, windowMs: hour };
      await counter.hit('one', window, start);
      expect(await counter.hit('two', window, start)).toMatchObject({ allowed: true, used: 1 });
    });

    test('steps are taken in order until one refuses; the hits before it are counted', async () => {
      const window = { limit: 2, windowMs: hour };
      const step = (kind: RateStep['kind'], key: string, limit = 2): RateStep => ({
        kind,
        key,
        window: { limit, windowMs: hour },
      });
      const steps = [step('peek', 'a'), step('hit', 'b'), step('hit', 'c', 1), step('hit', 'd')];
      expect(await counter.takeSteps(steps, start)).toMatchObject([
        { allowed: true, used: 0 },
        { allowed: true, used: 1 },
        { allowed: true, used: 1 },
        { allowed: true, used: 1 },
      ]);
      expect(await counter.takeSteps(steps, start)).toMatchObject([
        { allowed: true, used: 0 },
        { allowed: true, used: 2 },
        { allowed: false, used: 1 },
      ]);
      expect(await counter.takeSteps(steps, start)).toMatchObject([
        { allowed: true, used: 0 },
        { allowed: false, used: 2 },
      ]);
      await counter.hit('a', window, start);
      await counter.hit('a', window, start);
      expect(await counter.takeSteps(steps, start)).toMatchObject([{ allowed: false, used: 2 }]);
      expect(await counter.peek('d', window, start)).toMatchObject({ used: 1 });
    });

    test('steps answer as the same hits and looks one by one', async () => {
      const minute = { limit: 3, windowMs: 60_000 };
      const long = { limit: 5, windowMs: hour };
      const steps: readonly RateStep[] = [
        { kind: 'hit', key: 'short', window: minute },
        { kind: 'peek', key: 'long', window: long },
        { kind: 'hit', key: 'long', window: long },
      ];
      for (const pause of [0, 1, 2, 60_000]) {
        const nowMs = start + pause;
        const alone = [
          await counter.hit('short alone', minute, nowMs),
          await counter.peek('long alone', long, nowMs),
          await counter.hit('long alone', long, nowMs),
        ];
        expect(await counter.takeSteps(steps, nowMs)).toEqual(alone);
      }
    });

    test('what is counted twice in the same steps counts twice', async () => {
      const window = { limit: 2, windowMs: hour };
      const twice: readonly RateStep[] = [
        { kind: 'hit', key: 'key', window },
        { kind: 'hit', key: 'key', window },
        { kind: 'peek', key: 'key', window },
      ];
      expect((await counter.takeSteps(twice, start)).map(({ used }) => used)).toEqual([1, 2, 2]);
    });

    test('parallel steps are exact: no more than their limits, and none lost between two of them', async () => {
      const steps: readonly RateStep[] = [
        { kind: 'peek', key: 'failures', window: { limit: 5, windowMs: hour } },
        { kind: 'hit', key: 'requests', window: { limit: 40, windowMs: hour } },
        { kind: 'hit', key: 'failures', window: { limit: 5, windowMs: hour } },
      ];
      const taken = await Promise.all(Array.from({ length: 30 }, () => counter.takeSteps(steps, start)));
      // Who gets past the look gets the place that it showed.
      expect(taken.filter((verdicts) => verdicts.length === 3)).toHaveLength(5);
      expect(taken.filter((verdicts) => verdicts.length === 1)).toHaveLength(25);
      expect(taken.flat().filter(({ allowed }) => !allowed)).toHaveLength(25);
      const { used } = await counter.peek('requests', { limit: 40, windowMs: hour }, start);
      expect(used).toBe(5);
    });

    test('a limit of 1,000,000 is held to the hit', async () => {
      const window = { limit: 1_000_000, windowMs: hour };
      let allowed = 0;
      for (let hit = 0; hit < 1_000_005; hit += hitsAtOnce) {
        const atOnce = Math.min(hitsAtOnce, 1_000_005 - hit);
        const hits = Array.from({ length: atOnce }, (_, index) =>
          counter.hit('key', window, start + Math.floor((hit + index) / 1_000)),
        );
        for (const verdict of await Promise.all(hits)) if (verdict.allowed) allowed += 1;
      }
      expect(allowed).toBe(1_000_000);
    }, 120_000);
  });
}
