import { describe, expect, test } from 'vitest';
import { columnName, columnRange } from '../../../src/documents/ooxml/cell-reference.ts';
import { displayedValue, isDateCode } from '../../../src/documents/ooxml/displayed-value.ts';
import { excelDate, excelTime, instantOfExcelDate } from '../../../src/documents/ooxml/excel-date.ts';
import { chartNumberFormatCode, numberFormatCode } from '../../../src/documents/ooxml/number-format.ts';

describe('a number format', () => {
  test.for([
    ['EUR', '[$€]#,##0.00;\\-[$€]#,##0.00'],
    ['USD', '"$"#,##0.00;\\-"$"#,##0.00'],
    ['JPY', '[$¥]#,##0;\\-[$¥]#,##0'],
    ['CHF', '[$CHF]\\ #,##0.00;\\-[$CHF]\\ #,##0.00'],
    ['KWD', '[$KWD]\\ #,##0.000;\\-[$KWD]\\ #,##0.000'],
  ])('of %s is %s', ([currency = '', code]) => {
    expect(numberFormatCode({ kind: 'currency', currency })).toBe(code);
  });

  test.for([
    ['EUR', -1234.5, '-€1,234.50'],
    ['JPY', 1234.5, '¥1,235'],
    ['CHF', -3, '-CHF 3.00'],
  ] as const)('of %s shows %f as %s', ([currency, value, shown]) => {
    expect(displayedValue(value, numberFormatCode({ kind: 'currency', currency }))).toBe(shown);
  });

  test('in a chart has no colour, no decimals on large axes, and thousands beside large values', () => {
    const euro = { kind: 'currency', currency: 'EUR' } as const;
    expect(chartNumberFormatCode(euro, [12.5], 'axis')).toBe('[$€]#,##0;\\-[$€]#,##0');
    expect(chartNumberFormatCode(euro, [1.25], 'label')).toBe('[$€]#,##0.00;\\-[$€]#,##0.00');
    expect(chartNumberFormatCode(euro, [250_000.5], 'label')).toBe('[$€]#,##0,"K";\\-[$€]#,##0,"K"');
    expect(chartNumberFormatCode(undefined, [25_000_000], 'label')).toBe('#,##0.0,,"M"');
    expect(chartNumberFormatCode(undefined, [12], 'axis')).toBe('General');
    expect(chartNumberFormatCode({ kind: 'custom', code: '[Red]0.0' }, [1], 'axis')).toBe('0.0');
    expect(chartNumberFormatCode({ kind: 'percent' }, [0.5], 'axis')).toBe('0%');
  });

  test.for([
    ['yyyy-mm-dd', true],
    ['[h]:mm', true],
    ['0.00', false],
    ['0.00E+00', false],
    ['"days" 0', false],
    ['[Red]0', false],
    ['General', false],
    ['0\\d', false],
  ] as const)('%s is of a date: %s', ([code, expected]) => {
    expect(isDateCode(code)).toBe(expected);
  });
});

describe('a day number', () => {
  test.for([
    ['1900-01-01', 1],
    ['1900-02-28', 59],
    ['1900-03-01', 61],
    ['1970-01-01', 25_569],
    ['2024-02-29T12:00:00Z', 45_351.5],
    ['2024-02-29T12:00:00-12:00', 45_352],
    ['9999-12-31', 2_958_465],
    ['1899-12-31', undefined],
    ['2023-02-29', undefined],
    ['12:30', undefined],
    ['', undefined],
  ] as const)('of %s is %s', ([text, day]) => {
    expect(excelDate(text)).toBe(day);
    if (day !== undefined) expect(excelDate(instantOfExcelDate(day))).toBe(day);
  });

  test('of a time of day is its part of the day', () => {
    expect(excelTime('06:00')).toBe(0.25);
    expect(excelTime('23:59:59')).toBeCloseTo(86_399 / 86_400, 12);
    expect(excelTime('24:00')).toBeUndefined();
    expect(excelTime('2024-01-01')).toBeUndefined();
  });
});

test('columns are named as spreadsheets name them', () => {
  expect([0, 25, 26, 701, 702, 16_383].map(columnName)).toEqual(['A', 'Z', 'AA', 'ZZ', 'AAA', 'XFD']);
  expect(columnRange("It's", 1, 2, 9)).toBe("'It''s'!$B$2:$B$9");
  expect(columnRange('Data', 0, 2, 2)).toBe("'Data'!$A$2");
});
