import { expect, test } from 'vitest';
import { writeTable } from '../../../src/documents/docx/table.ts';
import { layoutTable } from '../../../src/documents/docx/table-layout.ts';
import { palettes } from '../../../src/documents/palettes.ts';
import type { Table } from '../../../src/domain/documents/common.ts';
import { libraryTableXml } from './library-table.ts';

const tables: [string, Table][] = [
  [
    'text and numbers',
    {
      columns: [
        { header: 'Name' },
        { header: 'Amount', format: { kind: 'currency', currency: 'EUR' } },
        { header: 'Share', format: { kind: 'percent' } },
      ],
      rows: [
        ['Alpha & <Beta> "quoted"', 1234.5, 0.25],
        [null, null, null],
        ['', -1, 1],
      ],
    },
  ],
  [
    'alignments of its own',
    {
      columns: [
        { header: 'Left', align: 'left' },
        { header: 'Center', align: 'center' },
        { header: 'Right', align: 'right' },
      ],
      rows: [['a', 'b', 'c']],
    },
  ],
  [
    'right-to-left columns',
    {
      columns: [{ header: 'الاسم' }, { header: 'القيمة' }, { header: 'مركز', align: 'right' }],
      rows: [
        ['أحمد', 12.5, 'يمين'],
        ['שלום', 3, 'b'],
      ],
    },
  ],
  ['a header only', { columns: [{ header: 'A' }, { header: 'B' }], rows: [] }],
  [
    'many columns',
    {
      columns: Array.from({ length: 20 }, (_, index) => ({ header: `Measurement ${index}` })),
      rows: [Array.from({ length: 20 }, (_, index) => index * 1_000_000)],
    },
  ],
];

test.for(tables)('a table written as strings is the one that the library writes: %s', async ([, table]) => {
  const layout = layoutTable(table);
  let xml = '';
  writeTable(table, layout, palettes.ocean, (piece) => {
    xml += piece;
  });
  expect(xml).toBe(await libraryTableXml(table, layout, palettes.ocean));
});
