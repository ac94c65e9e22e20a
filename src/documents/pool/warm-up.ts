import type { Chart, Table } from '../../domain/documents/common.ts';
import type { SpecByFormat } from '../../domain/documents/formats.ts';

const common = { title: 'Title', palette: 'corporate', language: 'en' } as const;
const table: Table = {
  columns: [{ header: 'Name' }, { header: 'Amount', format: { kind: 'currency', currency: 'EUR' } }],
  rows: [['One', 1.5]],
};
const chart: Chart = {
  type: 'bar',
  labels: ['One', 'Two'],
  datasets: [{ label: 'Series', data: [1, 2] }],
  options: {},
};

/**
 * A small document of each format: rendering it once reads the fonts and compiles the code that the first real one
 * would otherwise wait for, a quarter of a second for a PDF.
 */
export const warmUpSpecs: SpecByFormat = {
  xlsx: {
    columns: table.columns.map((column, index) => ({ ...column, key: String(index) })),
    rows: table.rows,
    styles: {},
    totals: [{ type: 'SUM', columns: [1] }],
    conditionalRules: [],
    freezePanes: { row: true, column: false },
    chartType: 'bar',
  },
  pdf: {
    ...common,
    markdown: false,
    sections: [
      {
        heading: 'Heading',
        text: 'Text',
        summary: [{ label: 'A', value: '1' }],
        bullets: ['One'],
        table,
        chart,
      },
    ],
  },
  pptx: {
    ...common,
    slides: [
      {
        elements: [
          {
            type: 'text',
            content: 'Text',
            bullet: true,
            bold: true,
            italic: false,
            underline: false,
            x: 1,
            y: 0,
            w: 4,
            h: 1,
          },
          { type: 'chart', chart, x: 1, y: 1, w: 4, h: 3 },
        ],
        showPageNumber: true,
      },
    ],
  },
  docx: {
    ...common,
    markdown: false,
    sections: [
      { level: 1, heading: 'Heading', text: 'Text', bullets: ['One'], numbered: ['One'], table, chart },
    ],
  },
};
