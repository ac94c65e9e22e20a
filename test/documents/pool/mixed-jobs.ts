import type { CellValue, Table } from '../../../src/domain/documents/common.ts';
import type { RenderJob } from '../../../src/ports/renderer.ts';

const createdAtMs = Date.UTC(2026, 2, 14, 9, 26, 53);
const common = { palette: 'corporate', language: 'en' } as const;

function cellsOf(row: number): CellValue[] {
  return [
    `Customer ${row} – Łódź`,
    row * 12.5,
    `2026-03-${String((row % 28) + 1).padStart(2, '0')}`,
    row % 2 === 0,
  ];
}

function tableOf(rows: number): Table {
  return {
    columns: [
      { header: 'Customer' },
      { header: 'Amount', format: { kind: 'currency', currency: 'EUR' } },
      { header: 'Day', format: { kind: 'date' } },
      { header: 'Paid', format: { kind: 'boolean' } },
    ],
    rows: Array.from({ length: rows }, (_, row) => cellsOf(row)),
  };
}

const chart = {
  type: 'bar',
  labels: ['Q1', 'Q2', 'Q3', 'Q4'],
  datasets: [{ label: 'Revenue', data: [4, 7, 5, 9] }],
  options: {},
} as const;

/** A document of each format, with so many table rows, and a chart. */
export function jobsOf(rows: number): RenderJob[] {
  const table = tableOf(rows);
  const input = { images: new Map(), createdAtMs };
  return [
    {
      format: 'xlsx',
      spec: {
        title: 'Orders',
        columns: table.columns.map((column, index) => ({ ...column, key: `c${index}` })),
        rows: table.rows,
        styles: {},
        totals: [{ type: 'SUM', columns: [1] }],
        conditionalRules: [],
        freezePanes: { row: true, column: false },
        chartType: 'bar',
      },
      ...input,
    },
    {
      format: 'pdf',
      spec: {
        title: 'Orders',
        markdown: false,
        sections: [{ heading: 'All', text: 'Text', chart }, { table }],
        ...common,
      },
      ...input,
    },
    {
      format: 'pptx',
      spec: {
        title: 'Orders',
        slides: [
          { elements: [{ type: 'chart', chart, x: 1, y: 1, w: 8, h: 4 }], showPageNumber: true },
          {
            elements: [
              {
                type: 'table',
                table: {
                  columns: table.columns,
                  rows: table.rows.slice(0, 1_000).map((cells) => cells.map((value) => ({ value }))),
                  header: { bold: true },
                },
                x: 1,
                y: 1,
                w: 11,
                h: 5,
              },
            ],
            showPageNumber: true,
          },
        ],
        ...common,
      },
      ...input,
    },
    {
      format: 'docx',
      spec: {
        title: 'Orders',
        markdown: false,
        sections: [{ level: 1, heading: 'All', text: 'Text', chart, table }],
        ...common,
      },
      ...input,
    },
  ];
}
