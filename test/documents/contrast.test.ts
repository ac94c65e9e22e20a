import { describe, expect, test } from 'vitest';
import { contrast, isReadableOn, readableOn } from '../../src/documents/contrast.ts';

describe('contrast', () => {
  test.for([
    ['000000', 'FFFFFF', 21],
    ['FFFFFF', 'FFFFFF', 1],
    ['777777', 'FFFFFF', 4.478],
    ['FF0000', 'FFFFFF', 3.998],
    ['0000FF', 'FFFF00', 8.001],
  ] as const)('of %s and %s is %d, in either order', ([one, other, ratio]) => {
    expect(contrast(one, other)).toBeCloseTo(ratio, 2);
    expect(contrast(other, one)).toBe(contrast(one, other));
  });
});

test('text is readable from 4.5:1', () => {
  expect(isReadableOn('FFFFFF', '767676')).toBe(true);
  expect(isReadableOn('FFFFFF', '777777')).toBe(false);
});

test('the better of white and a dark colour is chosen', () => {
  expect(readableOn('1F3A5F', '1F2933')).toBe('FFFFFF');
  expect(readableOn('FFF2CC', '1F2933')).toBe('1F2933');
});
