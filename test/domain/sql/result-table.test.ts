import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createResultTable } from '../../../src/domain/sql/result-table.ts';

const roomy = { rows: 500, resultBytes: 10_000 };

describe('a result table', () => {
  test('is JSON lines with a remark', () => {
    const table = createResultTable(['id', 'a "name"'], roomy);
    expect(table.add(['1', '"Ann"'])).toBe(true);
    expect(table.add(['2', 'null'])).toBe(true);
    expect(table.text()).toBe('["id","a \\"name\\""]\n[1,"Ann"]\n[2,null]\n(2 rows)');
    expect(table.text('INSERT: 2 rows')).toContain('\n(INSERT: 2 rows)');
  });

  test('says of one row and of none how many they are', () => {
    const table = createResultTable(['a'], roomy);
    expect(table.text()).toBe('["a"]\n(0 rows)');
    table.add(['1']);
    expect(table.text()).toContain('(1 row)');
  });

  test('takes as many rows as it may and tells of the next', () => {
    const table = createResultTable(['a'], { ...roomy, rows: 2 });
    expect([table.add(['1']), table.add(['2']), table.isFull]).toEqual([true, true, false]);
    expect(table.text()).toContain('(2 rows)');
    expect([table.add(['3']), table.isFull, table.add(['4'])]).toEqual([false, true, false]);
    expect(table.text('done')).toBe(
      '["a"]\n[1]\n[2]\n(first 2 rows; there are more: aggregate, filter or use LIMIT and OFFSET)',
    );
  });

  test('shows the beginning of a first row that is too long, without splitting a character', () => {
    const table = createResultTable(['a'], { ...roomy, resultBytes: 300 });
    expect(table.add([`"${'😀'.repeat(100)}"`])).toBe(false);
    const text = table.text();
    expect(text).toMatch(/^\["a"\]\n\["(?:😀)+…\n\(first 1 row, cut at 300 bytes/u);
    expect(text.isWellFormed()).toBe(true);
  });

  test('never grows over its bytes', () => {
    const names = fc.array(fc.string({ unit: 'binary', maxLength: 200 }), { maxLength: 5 });
    const rows = fc.array(fc.array(fc.string({ unit: 'binary', maxLength: 300 }), { maxLength: 4 }), {
      maxLength: 8,
    });
    fc.assert(
      fc.property(names, rows, fc.integer({ min: 250, max: 2_000 }), (columns, cells, resultBytes) => {
        const table = createResultTable(columns, { rows: 5, resultBytes });
        for (const row of cells) table.add(row.map((cell) => JSON.stringify(cell)));
        expect(Buffer.byteLength(table.text())).toBeLessThanOrEqual(resultBytes);
      }),
    );
  });
});
