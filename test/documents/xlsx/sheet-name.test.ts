import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { sheetName } from '../../../src/documents/xlsx/sheet-name.ts';

describe('a sheet name', () => {
  test.for([
    [undefined, 'Data'],
    ['', 'Data'],
    ['  ///  ', 'Data'],
    ['Sales [2026]: a/b', 'Sales 2026 a b'],
    ["Bob's", 'Bob\u2019s'],
    ['History', 'Data'],
    ['a'.repeat(40), 'a'.repeat(31)],
    [`${'a'.repeat(30)}😀`, 'a'.repeat(30)],
  ] as const)('of %j is %j', ([title, expected]) => {
    expect(sheetName(title, 'Data')).toBe(expected);
  });

  test('is told apart from the others without regard to case', () => {
    expect(sheetName('Chart', 'Chart', ['CHART'])).toBe('Chart (2)');
    expect(sheetName('Chart', 'Chart', ['chart', 'Chart (2)'])).toBe('Chart (3)');
  });

  test('is always one that Excel takes', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (title) => {
        const name = sheetName(title, 'Data', ['Data']);
        expect(name.length).toBeGreaterThan(0);
        expect(name.length).toBeLessThanOrEqual(31);
        expect(name).not.toMatch(/[[\]:*?/\\']|^history$|^data$/i);
      }),
    );
  });
});
