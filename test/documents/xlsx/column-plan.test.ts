import { describe, expect, test } from 'vitest';
import { planColumn } from '../../../src/documents/xlsx/column-plan.ts';
import { planSheet } from '../../../src/documents/xlsx/sheet-plan.ts';
import { textWidth } from '../../../src/documents/xlsx/text-width.ts';
import type { CellValue, ColumnFormat } from '../../../src/domain/documents/common.ts';
import { workbookOf } from './sample-workbooks.ts';

const plan = (values: CellValue[], format?: ColumnFormat) =>
  planColumn({ key: 'a', header: 'A', ...(format === undefined ? {} : { format }) }, values);

describe('a column', () => {
  test.for<[CellValue[], ColumnFormat | undefined, number]>([
    [['abc', 'abcdefgh'], undefined, 8],
    [['東京都'], undefined, 6],
    [['e\u0301a'], undefined, 2],
    [['one\nlonger line'], undefined, 11],
    [[1234.5, -3], { kind: 'currency', currency: 'EUR' }, 9],
    [[-1_234_567.891], { kind: 'number' }, 13],
    [[0.5], { kind: 'percent' }, 5],
    [['2026-01-01'], { kind: 'date' }, 10],
    [['2026-01-01'], { kind: 'custom', code: 'dddd, d mmmm yyyy' }, 28],
    [[0.1 + 0.2], undefined, 12],
    [[true], undefined, 5],
    [[null], undefined, 0],
  ])('of %j is as wide as what it shows', ([values, format, width]) => {
    expect(plan(values, format).plan.contentWidth).toBe(width);
  });

  test('is numeric by its values or its format, never when it holds dates', () => {
    expect(plan([1, null, 2]).plan.numeric).toBe(true);
    expect(plan(['1', '2']).plan.numeric).toBe(false);
    expect(plan([], { kind: 'percent' }).plan.numeric).toBe(true);
    expect(plan([1], { kind: 'date' }).plan.numeric).toBe(false);
    expect(plan([1], { kind: 'custom', code: 'yyyy' }).plan.numeric).toBe(false);
    expect(plan([1], { kind: 'custom', code: '0.0"d"' }).plan.numeric).toBe(true);
    expect(plan([true, false]).plan.numeric).toBe(false);
  });

  test('stands right for numbers, left for text, and where the spec says', () => {
    expect(plan([1]).plan.align).toBe('right');
    expect(plan(['a']).plan.align).toBe('left');
    expect(plan([true]).plan.align).toBe('center');
    expect(planColumn({ key: 'a', header: 'A', align: 'center' }, [1]).plan.align).toBe('center');
  });

  test('wraps long text and line breaks', () => {
    expect(plan(['short']).plan.wrap).toBe(false);
    expect(plan(['a\nb']).plan.wrap).toBe(true);
    expect(plan(['word '.repeat(30)]).plan.wrap).toBe(true);
  });
});

describe('the widths of a sheet', () => {
  test('leave room for content, header and totals, and end where text wraps', () => {
    const { widths } = planSheet(
      workbookOf(
        [
          { key: 'a', header: 'A' },
          { key: 'b', header: 'A long header' },
          { key: 'c', header: 'C', format: { kind: 'number' } },
          { key: 'd', header: 'D' },
          { key: 'e', header: 'E', width: 40 },
        ],
        [
          ['x', 'y', 400_000, 'word '.repeat(100), 1],
          ['x', 'y', 700_000, 'b', 1],
        ],
        { totals: [{ type: 'SUM', columns: [2] }] },
      ),
    );
    expect(widths[0]).toBeGreaterThanOrEqual(8);
    expect(widths[1]).toBeGreaterThanOrEqual('A long header'.length + 3);
    expect(widths[2]).toBeGreaterThanOrEqual('1,100,000.00'.length + 2);
    expect(widths[3]).toBe(62);
    expect(widths[4]).toBe(40);
  });

  test('count East Asian characters twice and emoji too', () => {
    expect(textWidth('ab')).toBe(2);
    expect(textWidth('日本')).toBe(4);
    expect(textWidth('한국')).toBe(4);
    expect(textWidth('😀')).toBe(2);
    expect(textWidth('ｱ')).toBe(1);
  });
});
