import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createLimiter } from '../../src/documents/limiter.ts';

test('never more than its places run at once, all run in order of arrival, and all places come back', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.scheduler(),
      fc.integer({ min: 1, max: 4 }),
      fc.array(fc.constantFrom('ends', 'fails', 'gives up'), { maxLength: 12 }),
      async (scheduler, places, kinds) => {
        const limiter = createLimiter(places);
        const started: number[] = [];
        let running = 0;
        const works = kinds.map(async (kind, index) => {
          const controller = new AbortController();
          if (kind === 'gives up')
            void scheduler.schedule(Promise.resolve()).then(() => controller.abort(kind));
          const work = limiter.run(async () => {
            started.push(index);
            running += 1;
            expect(running).toBeLessThanOrEqual(places);
            await scheduler.schedule(Promise.resolve());
            running -= 1;
            if (kind === 'fails') throw kind;
          }, controller.signal);
          await work.catch((reason: unknown) => expect(reason).toBe(kind));
        });
        await scheduler.waitFor(Promise.all(works));
        expect(started).toEqual([...started].sort((a, b) => a - b));
        for (const [index, kind] of kinds.entries()) {
          if (kind !== 'gives up') expect(started).toContain(index);
        }
        expect(limiter.waiting).toBe(0);
        let together = 0;
        const gate = Promise.withResolvers<void>();
        const again = Array.from({ length: places }, () =>
          limiter.run(async () => {
            together += 1;
            if (together === places) gate.resolve();
            await gate.promise;
          }),
        );
        await Promise.all(again);
      },
    ),
  );
});

test('counts those that wait', async () => {
  const limiter = createLimiter(1);
  const gate = Promise.withResolvers<void>();
  const first = limiter.run(() => gate.promise);
  expect(limiter.waiting).toBe(0);
  const second = limiter.run(async () => undefined);
  expect(limiter.waiting).toBe(1);
  gate.resolve();
  await Promise.all([first, second]);
  expect(limiter.waiting).toBe(0);
});
