import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { divideWidth, measureColumns } from '../../../src/documents/pptx/table-columns.ts';
import type { DeckTable } from '../../../src/domain/documents/deck-spec.ts';

const room = { width: 10, fontSize: 12, padding: 0.2 };

function widthsOf(rows: readonly (readonly string[])[], widths: readonly (number | undefined)[] = []) {
  const columnCount = rows[0]?.length ?? 0;
  const table: DeckTable = {
    columns: Array.from({ length: columnCount }, (_, index) => {
      const width = widths[index];
      return { header: '', ...(width === undefined ? {} : { width }) };
    }),
    rows: rows.map((row) => row.map((value) => ({ value }))),
    header: { bold: true },
  };
  return divideWidth(table, measureColumns(table, rows, columnCount), room);
}

describe('divideWidth', () => {
  test('follows the relative widths of a spec', () => {
    expect(widthsOf([['a', 'b', 'c']], [1, 3, 1])).toEqual([2, 6, 2]);
  });

  test('gives a column without a width one by its content', () => {
    const [first = 0, second = 0, third = 0] = widthsOf([['a', 'aaaaaaaaaaaaaaaa', 'b']], [2, undefined, 2]);
    expect(first).toBe(third);
    expect(second).toBeGreaterThan(first);
  });

  test('keeps short columns whole beside a long one', () => {
    const [short = 0, long = 0] = widthsOf([['2026-01-02', 'word '.repeat(100)]]);
    expect(short).toBeGreaterThan(0.8);
    expect(long).toBeGreaterThan(7);
  });

  test('keeps the longest words whole while there is room for all of them', () => {
    const word = 'Donaudampfschifffahrtsgesellschaft';
    const [narrow = 0] = widthsOf([
      [`${word} ${word}`, ...Array.from({ length: 3 }, () => 'word '.repeat(80))],
    ]);
    expect(narrow).toBeGreaterThan(2.4);
  });

  test('uses the whole width and no more, whatever the content', () => {
    const cell = fc.string({ maxLength: 200 });
    const rows = fc
      .integer({ min: 1, max: 20 })
      .chain((columns) =>
        fc.array(fc.array(cell, { minLength: columns, maxLength: columns }), { minLength: 1, maxLength: 5 }),
      );
    fc.assert(
      fc.property(rows, (texts) => {
        const widths = widthsOf(texts);
        expect(widths.reduce((sum, width) => sum + width, 0)).toBeCloseTo(10, 6);
        for (const width of widths) expect(width).toBeGreaterThanOrEqual(0);
      }),
    );
  });
});
