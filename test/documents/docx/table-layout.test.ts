import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { textArea } from '../../../src/documents/docx/page.ts';
import { layoutTable, tableSizes } from '../../../src/documents/docx/table-layout.ts';
import type { Table } from '../../../src/domain/documents/common.ts';

const table = (headers: string[], ...rows: (string | number)[][]): Table => ({
  columns: headers.map((header) => ({ header })),
  rows,
});

describe('layoutTable', () => {
  test('gives wide content wide columns', () => {
    const { widths } = layoutTable(table(['No', 'Comment'], [1, 'a long comment of many words indeed']));
    expect(widths[1]).toBeGreaterThan((widths[0] ?? 0) * 3);
  });

  test('takes East Asian characters as wide', () => {
    const { widths } = layoutTable(table(['漢字漢字漢字', 'abcdef']));
    expect(widths[0]).toBeGreaterThan((widths[1] ?? 0) * 1.3);
  });

  test('shares by given widths, whatever their unit', () => {
    for (const unit of [1, 100, 1e300]) {
      const { widths } = layoutTable({
        columns: [
          { header: 'a', width: unit },
          { header: 'b', width: 3 * unit },
        ],
        rows: [],
      });
      expect((widths[1] ?? 0) / (widths[0] ?? 1)).toBeCloseTo(3, 1);
    }
  });

  test('sets a few columns upright and readable, many lying and small', () => {
    const columns = (count: number) => Array.from({ length: count }, (_, index) => `Measurement ${index}`);
    expect(layoutTable(table(columns(4)))).toMatchObject({
      orientation: 'portrait',
      size: tableSizes.regular,
    });
    expect(layoutTable(table(columns(6)))).toMatchObject({
      orientation: 'portrait',
      size: tableSizes.compact,
    });
    expect(layoutTable(table(columns(9)))).toMatchObject({ orientation: 'landscape' });
    expect(layoutTable(table(columns(63)))).toMatchObject({
      orientation: 'landscape',
      size: tableSizes.tiny,
    });
  });

  test('gives whole positive widths that fill the text area, for any table', () => {
    const column = fc.record(
      { header: fc.string(), width: fc.oneof(fc.double({ noNaN: true }), fc.constant(0)) },
      { requiredKeys: ['header'] },
    );
    const tables = fc.array(column, { minLength: 1, maxLength: 63 }).chain((columns) =>
      fc
        .array(
          fc.array(fc.oneof(fc.string({ maxLength: 200 }), fc.double(), fc.constant(null)), {
            minLength: columns.length,
            maxLength: columns.length,
          }),
          { maxLength: 5 },
        )
        .map((rows) => ({ columns, rows })),
    );
    fc.assert(
      fc.property(tables, (generated) => {
        const { widths, orientation } = layoutTable(generated as Table);
        expect(widths).toHaveLength(generated.columns.length);
        expect(widths.every((width) => Number.isInteger(width) && width > 0)).toBe(true);
        expect(widths.reduce((sum, width) => sum + width, 0)).toBe(textArea(orientation).width);
      }),
    );
  });
});
