import { expect, test } from 'vitest';
import type { CellValue, ColumnFormat, Table } from '../../../src/domain/documents/common.ts';
import { alignOf, formatValue, isNumericColumn } from '../../../src/domain/documents/format-value.ts';

const custom = (code: string): ColumnFormat => ({ kind: 'custom', code });
const currency = (code: string): ColumnFormat => ({ kind: 'currency', currency: code });

test.for<[CellValue, ColumnFormat | undefined, string]>([
  [null, { kind: 'number' }, ''],
  ['text', undefined, 'text'],
  [true, undefined, 'Yes'],
  [2024, undefined, '2024'],
  [1234567.891, undefined, '1234567.891'],
  [0.1 + 0.2, undefined, '0.3'],
  [-0, undefined, '0'],
  [1.5e21, undefined, '1.5E+21'],
  [1e-9, undefined, '1E-9'],
  [1234567.891, { kind: 'number' }, '1,234,567.89'],
  [1.005, { kind: 'number' }, '1.01'],
  [-0.001, { kind: 'number' }, '0.00'],
  [-1234.5, { kind: 'number' }, '-1,234.50'],
  ['n/a', { kind: 'number' }, 'n/a'],
  [1e300, { kind: 'number' }, '1E+300'],
  [999_999.5, { kind: 'integer' }, '1,000,000'],
  [0.1234, { kind: 'percent' }, '12.3%'],
  [-1234.5, currency('USD'), '-$1,234.50'],
  [1234.5, currency('EUR'), '€1,234.50'],
  [1234.5, currency('JPY'), '¥1,235'],
  [1.2345, currency('KWD'), 'KWD\u00a01.235'],
  [3, currency('PLN'), 'PLN\u00a03.00'],
  [-0.001, currency('USD'), '$0.00'],
  ['2026-03-05', { kind: 'date' }, '2026-03-05'],
  ['2026-03-05T23:30:00-02:00', { kind: 'date' }, '2026-03-06'],
  [Date.UTC(2026, 2, 5, 14, 30), { kind: 'datetime' }, '2026-03-05 14:30'],
  ['2026-03-05T14:30:05Z', { kind: 'datetime' }, '2026-03-05 14:30:05'],
  ['9:05', { kind: 'time' }, '09:05'],
  ['2026-02-31', { kind: 'date' }, '2026-02-31'],
  ['soon', { kind: 'date' }, 'soon'],
  [0, { kind: 'boolean' }, 'No'],
  ['maybe', { kind: 'boolean' }, 'maybe'],
  [1234.5, custom('#,##0.00'), '1,234.50'],
  [-1234.5, custom('#,##0;(#,##0)'), '(1,235)'],
  [-1234.5, custom('[Red]-#,##0.0'), '--1,234.5'],
  [0, custom('0;-0;"none"'), 'none'],
  [0.256, custom('0%'), '26%'],
  [1234567, custom('0.0,,"M"'), '1.2M'],
  [5, custom('000'), '005'],
  [12.5, custom('0.##'), '12.5'],
  [12, custom('[$€-407] #,##0.00'), '€ 12.00'],
  [12345, custom('0.00E+00'), '1.23E+04'],
  ['abc', custom('0;0;0;"<"@">"'), '<abc>'],
  ['2026-03-05T14:07:09Z', custom('d mmm yyyy'), '5 Mar 2026'],
  ['2026-03-05T14:07:09Z', custom('dddd, hh:mm:ss AM/PM'), 'Thursday, 02:07:09 PM'],
  ['2026-03-05T14:07:09Z', custom('yy/mm/dd'), '26/03/05'],
  [7, custom('General" items"'), '7 items'],
])('%j as %j is shown as %j', ([value, format, shown]) => {
  expect(formatValue(value, format)).toBe(shown);
});

const table = (column: Partial<Table['columns'][number]>, values: CellValue[]): Table => ({
  columns: [{ header: 'H', ...column }],
  rows: values.map((value) => [value]),
});

test('a column of numbers stands right, unless its spec says otherwise', () => {
  expect(alignOf(table({}, [1, null, 2]), 0)).toBe('right');
  expect(alignOf(table({}, [1, 'two']), 0)).toBe('left');
  expect(alignOf(table({}, [null]), 0)).toBe('left');
  expect(alignOf(table({ align: 'center' }, [1]), 0)).toBe('center');
  expect(isNumericColumn(table({ format: { kind: 'percent' } }, ['n/a']), 0)).toBe(true);
  expect(isNumericColumn(table({ format: { kind: 'date' } }, [0]), 0)).toBe(false);
});
