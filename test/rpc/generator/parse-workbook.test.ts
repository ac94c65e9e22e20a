import { create, type MessageInitShape } from '@bufbuild/protobuf';
import { describe, expect, test } from 'vitest';
import { GenerateExcelRequestSchema } from '../../../gen/service/generator/v1/workbook_pb.ts';
import { ServiceError } from '../../../src/domain/errors.ts';
import { limits } from '../../../src/domain/limits.ts';
import { parseWorkbook } from '../../../src/rpc/generator/parse-workbook.ts';

type Init = MessageInitShape<typeof GenerateExcelRequestSchema>;

const parse = (init: Init) => parseWorkbook(create(GenerateExcelRequestSchema, init));
const column = (header: string, format = '') => ({ header, format });

function faultOf(init: Init): ServiceError {
  try {
    parse(init);
  } catch (error) {
    if (error instanceof ServiceError) return error;
    throw error;
  }
  throw new Error('the spec was accepted');
}

describe('a workbook spec', () => {
  test('has a cell for every column of every row, null where the row holds none', () => {
    const { spec } = parse({
      columns: [{ key: 'a', header: 'A' }, column('B')],
      rows: [{ a: 1, B: 'x' }, { B: true }, { a: null, extra: 1 }],
    });
    expect(spec.columns.map(({ key, header }) => [key, header])).toEqual([
      ['a', 'A'],
      ['B', 'B'],
    ]);
    expect(spec.rows).toEqual([
      [1, 'x'],
      [null, true],
      [null, null],
    ]);
  });

  test('reads no value from the prototype of a row', () => {
    expect(parse({ columns: [column('constructor'), column('toString')], rows: [{}] }).spec.rows).toEqual([
      [null, null],
    ]);
  });

  test('holds text that every format can hold', () => {
    expect(parse({ columns: [column('A')], rows: [{ A: 'a\u0000b\uffff\ud800c' }] }).spec.rows).toEqual([
      ['ab\ufffdc'],
    ]);
  });

  test.for<[string, Init['styles'] & object, object]>([
    ['#abc', { headerBg: '#abc' }, { headerBg: 'AABBCC' }],
    ['a CSS name', { accentColor: 'navy' }, { accentColor: '000080' }],
    ['a font size', { fontSize: 14 }, { fontSize: 14 }],
  ])('reads styles: %s', ([, styles, expected]) => {
    expect(parse({ columns: [column('A')], styles }).spec.styles).toEqual(expected);
  });

  test.for<[string, object | undefined]>([
    ['percent', { kind: 'percent' }],
    ['currency', { kind: 'currency', currency: 'USD' }],
    ['currency:eur', { kind: 'currency', currency: 'EUR' }],
    ['#,##0.00 "kg"', { kind: 'custom', code: '#,##0.00 "kg"' }],
    [
      '[>=100][Red]0.0;[$€-407] #,##0;[h]:mm',
      { kind: 'custom', code: '[>=100][Red]0.0;[$€-407] #,##0;[h]:mm' },
    ],
    ['yyyy-mm-dd;@', { kind: 'custom', code: 'yyyy-mm-dd;@' }],
    ['', undefined],
  ])('reads the format %s', ([format, expected]) => {
    expect(parse({ columns: [column('A', format)] }).spec.columns[0]?.format).toEqual(expected);
  });

  test('finds totals columns by key, then by header, each once and in order', () => {
    const { spec } = parse({
      columns: [{ key: 'a', header: 'Amount' }, column('Tax')],
      formulas: [{ columns: ['Tax', 'Amount', 'a'] }],
    });
    expect(spec.totals).toEqual([{ type: 'SUM', columns: [0, 1] }]);
  });

  test('has a chart only when one is asked for, a bar chart by default', () => {
    expect(parse({ columns: [column('A')], chartType: 2 }).spec.chartType).toBeUndefined();
    expect(parse({ columns: [column('A')], includeChart: true }).spec.chartType).toBe('bar');
    expect(parse({ columns: [column('A')], includeChart: true, chartType: 8 }).spec.chartType).toBe(
      'waterfall',
    );
  });
});

describe('a workbook spec is refused', () => {
  const wide = (count: number) => Array.from({ length: count }, (_, index) => column(`c${index}`));
  const rows = (count: number) => Array.from({ length: count }, () => ({}));

  test.for<[string, Init, string, string]>([
    ['without columns', { columns: [] }, 'spec_invalid', 'excel: columns must be a non-empty array'],
    [
      'with a column that has no name',
      { columns: [{ format: 'text' }] },
      'spec_invalid',
      'excel: columns[0] needs a header or a key',
    ],
    [
      'with an object as a cell',
      { columns: [column('A')], rows: [{ A: { formula: '1+1' } }] },
      'spec_invalid',
      'excel: rows[0].A must be a string, number, boolean or null',
    ],
    [
      'with an infinite number',
      { columns: [column('A')], rows: [{ A: Number.POSITIVE_INFINITY }] },
      'spec_invalid',
      'excel: rows[0].A must be a finite number',
    ],
    [
      'with an unknown colour',
      { columns: [column('A')], styles: { headerBg: 'nocolour' } },
      'spec_invalid',
      'excel: styles.headerBg is not a colour: use #RRGGBB or a CSS name',
    ],
    [
      'with a format that Excel would refuse',
      { columns: [column('A', 'curency')] },
      'spec_invalid',
      'excel: columns[0].format is neither a known format nor an Excel number format code',
    ],
    [
      'with a bracket that Excel does not know',
      { columns: [column('A', '[foo]0')] },
      'spec_invalid',
      'excel: columns[0].format is neither a known format nor an Excel number format code',
    ],
    [
      'with totals of an unknown column',
      { columns: [column('A')], formulas: [{ columns: ['B'] }] },
      'spec_invalid',
      'excel: formulas[0].columns[0] names no column',
    ],
    [
      'with a rule that names no kind',
      { columns: [column('A')], conditionalFormatting: [{ column: 'A' }] },
      'spec_invalid',
      'excel: conditionalFormatting[0].type must name a kind of rule',
    ],
    [
      'with a malformed range',
      {
        columns: [column('A')],
        conditionalFormatting: [{ range: 'B2:', rule: { case: 'dataBar', value: {} } }],
      },
      'spec_invalid',
      'excel: conditionalFormatting[0].range must be a range such as B2:B100',
    ],
    [
      'with a column too many',
      { columns: wide(limits.excel.columns + 1) },
      'spec_invalid',
      'excel: columns has over 200 entries',
    ],
  ])('%s', ([, init, slug, title]) => {
    expect(faultOf(init)).toMatchObject({ slug, title });
  });

  test('with one row, or one cell, too many; at the edge it stands', () => {
    expect(parse({ columns: wide(3), rows: rows(limits.document.tableRows) }).spec.rows).toHaveLength(50_000);
    expect(faultOf({ columns: wide(1), rows: rows(limits.document.tableRows + 1) }).slug).toBe(
      'spec_too_large',
    );
    expect(parse({ columns: wide(150), rows: rows(1_000) }).spec.rows).toHaveLength(1_000);
    expect(faultOf({ columns: wide(150), rows: rows(1_001) }).slug).toBe('spec_too_large');
  });

  test('with a cell over 32,767 characters; at the edge it stands', () => {
    const text = 'x'.repeat(limits.excel.cellChars);
    expect(parse({ columns: [column('A')], rows: [{ A: text }] }).spec.rows[0]?.[0]).toBe(text);
    const fault = faultOf({ columns: [column('A')], rows: [{ A: `${text}x` }] });
    expect(fault.violations).toEqual([
      { pointer: '/rows/0/A', detail: 'rows[0].A is over 32767 characters' },
    ]);
  });
});
