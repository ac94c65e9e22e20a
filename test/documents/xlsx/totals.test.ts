import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formulaResult } from '../../../src/documents/xlsx/totals.ts';
import type { CellValue } from '../../../src/domain/documents/common.ts';
import type { FormulaType } from '../../../src/domain/documents/workbook-spec.ts';

const divided = { error: '#DIV/0!' };
const mixed: CellValue[] = [3, 'text', null, true, -1, '5', 4];

describe('a total', () => {
  test.for<[FormulaType, CellValue[], unknown]>([
    ['SUM', mixed, 6],
    ['SUM', [], 0],
    ['SUM', [0.1, 0.2, 0.3, -0.6], 0],
    ['AVERAGE', mixed, 2],
    ['AVERAGE', ['a', null], divided],
    ['COUNT', mixed, 3],
    ['COUNTA', mixed, 6],
    ['COUNTA', [null, null], 0],
    ['MIN', mixed, -1],
    ['MAX', mixed, 4],
    ['MIN', [null], 0],
    ['MAX', ['x'], 0],
    ['MEDIAN', mixed, 3],
    ['MEDIAN', [4, 1, 3, 2], 2.5],
    ['MEDIAN', [10, 9, 100], 10],
    ['MEDIAN', [], { error: '#NUM!' }],
    ['PRODUCT', mixed, -12],
    ['PRODUCT', [], 0],
    ['STDEV', [2, 4, 4, 4, 5, 5, 7, 9], Math.sqrt(32 / 7)],
    ['VAR', [2, 4, 4, 4, 5, 5, 7, 9], 32 / 7],
    ['VAR', [1], divided],
    ['STDEV', [], divided],
    ['SUM', [1e308, 1e308], { error: '#NUM!' }],
  ])('%s of %j is %j', ([type, cells, expected]) => {
    const result = formulaResult(type, cells);
    if (typeof expected === 'number') expect(result).toBeCloseTo(expected, 12);
    else expect(result).toEqual(expected);
  });

  test('of long columns of cents is exact', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -1e7, max: 1e7 }), { maxLength: 500 }), (cents) => {
        const sum = formulaResult(
          'SUM',
          cents.map((value) => value / 100),
        );
        expect(sum).toBeCloseTo(cents.reduce((total, value) => total + value, 0) / 100, 9);
      }),
    );
  });
});
