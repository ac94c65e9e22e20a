import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { waterfallSeries, waterfallSteps } from '../../../../src/documents/charts/drawingml/waterfall.ts';
import { palettes } from '../../../../src/documents/palettes.ts';

describe('a waterfall', () => {
  test('runs from level to level', () => {
    expect(waterfallSteps([100, -30, 20], [])).toEqual([
      { kind: 'increase', base: 0, above: 100, below: 0 },
      { kind: 'decrease', base: 70, above: 30, below: 0 },
      { kind: 'increase', base: 70, above: 20, below: 0 },
    ]);
  });

  test('splits a step that crosses zero and stands on a negative base below it', () => {
    expect(waterfallSteps([10, -25, -5, 30], [])).toEqual([
      { kind: 'increase', base: 0, above: 10, below: 0 },
      { kind: 'decrease', base: 0, above: 10, below: -15 },
      { kind: 'decrease', base: -15, above: 0, below: -5 },
      { kind: 'increase', base: 0, above: 10, below: -20 },
    ]);
  });

  test('draws a total from zero: the level so far, or its own value', () => {
    const [, , soFar, own, after] = waterfallSteps([10, 5, null, 40, -10], [2, 3]);
    expect(soFar).toEqual({ kind: 'total', base: 0, above: 15, below: 0 });
    expect(own).toEqual({ kind: 'total', base: 0, above: 40, below: 0 });
    expect(after).toEqual({ kind: 'decrease', base: 30, above: 10, below: 0 });
  });

  test('has series for the parts below zero only where there are any, or on request', () => {
    const count = (values: number[], belowZero?: boolean) =>
      waterfallSeries(values, [], palettes.ocean, belowZero === undefined ? {} : { belowZero }).length;
    expect(count([10, -5])).toBe(4);
    expect(count([10, -15])).toBe(6);
    expect(count([10, -5], true)).toBe(6);
  });

  test('each step covers exactly the way from the level before to the level after', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -1000, max: 1000 })), (changes) => {
        let level = 0;
        for (const [index, step] of waterfallSteps(changes, []).entries()) {
          const before = level;
          level += changes[index] as number;
          const top = step.base > 0 ? step.base + step.above : step.above > 0 ? step.above : step.base;
          const bottom = step.base < 0 ? step.base + step.below : step.below < 0 ? step.below : step.base;
          expect([bottom, top]).toEqual([Math.min(before, level), Math.max(before, level)].map((n) => n + 0));
        }
      }),
    );
  });
});
