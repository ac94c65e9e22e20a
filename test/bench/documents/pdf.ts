import { execFileSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import PDFKit from 'pdfkit';
import { renderReport } from '../../../src/documents/pdf/render-report.ts';
import type { CellValue, TableColumn } from '../../../src/domain/documents/common.ts';
import { formatValue } from '../../../src/domain/documents/format-value.ts';
import type { ReportSpec } from '../../../src/domain/documents/report-spec.ts';
import type { BenchRow } from '../bench-row.ts';
import { compareTimes } from '../compare-times.ts';

const columns: TableColumn[] = [
  { header: 'Order' },
  { header: 'Customer' },
  { header: 'Region' },
  { header: 'Units', format: { kind: 'integer' } },
  { header: 'Amount', format: { kind: 'currency', currency: 'USD' } },
  { header: 'Date', format: { kind: 'date' } },
];

function rowsOf(count: number): CellValue[][] {
  return Array.from({ length: count }, (_, index) => [
    `ORD-${10_000 + index}`,
    `Customer ${index % 97} Ltd`,
    ['North', 'South', 'East', 'West'][index % 4] ?? '',
    index % 50,
    Math.round(((index * 37.77) % 9_999) * 100) / 100,
    `2026-0${1 + (index % 9)}-1${index % 10}`,
  ]);
}

const tableRows = rowsOf(3_000);
const smallRows = rowsOf(12);
const paragraph =
  'Revenue grew 12% against the same quarter last year, with all regions contributing. '.repeat(4);

function report(sections: ReportSpec['sections']): ReportSpec {
  return { title: 'Orders', palette: 'corporate', language: 'en', markdown: false, sections };
}

const largeReport = report([{ heading: 'All orders', table: { columns, rows: tableRows } }]);
const smallReport = report([
  { heading: 'Summary', text: paragraph, bullets: ['First', 'Second', 'Third'] },
  {
    heading: 'Orders',
    summary: [
      { label: 'Revenue', value: '$4.2M' },
      { label: 'Growth', value: '+12%' },
    ],
    table: { columns, rows: smallRows },
  },
  { heading: 'Outlook', text: paragraph, callout: { label: 'Note', text: 'Figures are unaudited.' } },
]);

async function ours(spec: ReportSpec): Promise<number> {
  const { bytes } = await renderReport({ spec, images: new Map(), createdAtMs: 0 });
  return bytes.length;
}

/** The same table as a developer draws it with pdfkit: a standard font, no tags, no wrapping, known widths. */
function pdfkitByHand(rows: readonly (readonly CellValue[])[]): Promise<number> {
  return new Promise((resolve) => {
    const document = new PDFKit({ size: 'A4', margin: 48 });
    let length = 0;
    document.on('data', (chunk: Buffer) => {
      length += chunk.length;
    });
    document.on('end', () => resolve(length));
    const widths = [80, 120, 70, 60, 90, 79];
    const height = 21;
    let y = 48;
    const header = () => {
      document.rect(48, y, 499, height).fill('#1F3A5F').fillColor('white').font('Helvetica-Bold').fontSize(9);
      let x = 48;
      columns.forEach((column, index) => {
        document.text(column.header, x + 6, y + 6, { width: (widths[index] ?? 0) - 12, lineBreak: false });
        x += widths[index] ?? 0;
      });
      document.font('Helvetica');
      y += height;
    };
    header();
    rows.forEach((row, rowIndex) => {
      if (y + height > 780) {
        document.addPage();
        y = 48;
        header();
      }
      if (rowIndex % 2 === 1) document.rect(48, y, 499, height).fill('#F2F5F9');
      document.fillColor('#1F2933');
      let x = 48;
      columns.forEach((column, index) => {
        const text = formatValue(row[index] ?? null, column.format);
        const align = index === 3 || index === 4 ? 'right' : 'left';
        document.text(text, x + 6, y + 6, {
          width: (widths[index] ?? 0) - 12,
          align,
          lineBreak: align === 'right',
        });
        x += widths[index] ?? 0;
      });
      document
        .moveTo(48, y + height)
        .lineTo(547, y + height)
        .lineWidth(0.5)
        .stroke('#CBD5E1');
      y += height;
    });
    document.end();
  });
}

interface PdfMake {
  setFonts(fonts: unknown): void;
  setUrlAccessPolicy(policy: () => boolean): void;
  setLocalAccessPolicy(policy: () => boolean): void;
  createPdf(definition: unknown): { getBuffer(): Promise<Buffer> };
}

const require = createRequire(import.meta.url);
let pdfMake: PdfMake | undefined;

function openPdfMake(): PdfMake {
  if (pdfMake === undefined) {
    const fresh = require('pdfmake') as PdfMake;
    fresh.setUrlAccessPolicy(() => false);
    fresh.setLocalAccessPolicy(() => true);
    fresh.setFonts(require('pdfmake/fonts/Roboto.js'));
    pdfMake = fresh;
  }
  return pdfMake;
}

async function pdfmake(content: unknown): Promise<number> {
  const buffer = await openPdfMake()
    .createPdf({ content, defaultStyle: { fontSize: 9 }, pageMargins: 48 })
    .getBuffer();
  return buffer.length;
}

function pdfmakeTable(rows: readonly (readonly CellValue[])[]): unknown {
  const body = rows.map((row) =>
    columns.map((column, index) => {
      const text = formatValue(row[index] ?? null, column.format);
      return index === 3 || index === 4 ? { text, alignment: 'right' } : text;
    }),
  );
  return {
    table: { headerRows: 1, body: [columns.map(({ header }) => ({ text: header, bold: true })), ...body] },
    layout: { fillColor: (index: number) => (index % 2 === 0 ? '#F2F5F9' : null) },
  };
}

const pdfmakeSmall = () => [
  { text: 'Orders', fontSize: 24, bold: true },
  { text: 'Summary', fontSize: 15, bold: true },
  paragraph,
  { ul: ['First', 'Second', 'Third'] },
  { text: 'Orders', fontSize: 15, bold: true },
  { columns: [{ text: '$4.2M\nRevenue' }, { text: '+12%\nGrowth' }] },
  pdfmakeTable(smallRows),
  { text: 'Outlook', fontSize: 15, bold: true },
  paragraph,
  { text: 'Note\nFigures are unaudited.', background: '#F2F5F9' },
];

/** Compares the PDF engine, tagged and with an embedded Unicode font, with pdfkit by hand and with pdfmake. */
export async function benchPdf(): Promise<BenchRow[]> {
  const large = { rounds: 3, runs: 5 };
  const small = { rounds: 3, runs: 15 };
  const byHand = await compareTimes(
    'pdf 3,000-row table / pdfkit by hand',
    { ours: () => ours(largeReport), peer: () => pdfkitByHand(tableRows) },
    large,
  );
  const made = await compareTimes(
    'pdf 3,000-row table / pdfmake',
    { ours: () => ours(largeReport), peer: () => pdfmake(pdfmakeTable(tableRows)) },
    large,
  );
  const report = await compareTimes(
    'pdf small report / pdfmake',
    { ours: () => ours(smallReport), peer: () => pdfmake(pdfmakeSmall()) },
    small,
  );
  return [
    { ...byHand, target: 2, memoryMb: peakMemoryMb() },
    { ...made, target: 3 },
    { ...report, target: 1 },
    { ...report, name: 'pdf small report / 12 ms', peer: 12, ratio: 12 / report.ours, target: 1 },
  ];
}

function peakMemoryMb(): number {
  return Number(
    execFileSync(process.execPath, [fileURLToPath(import.meta.url), 'memory'], { encoding: 'utf8' }),
  );
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  if (process.argv[2] === 'memory') {
    await ours(largeReport);
    console.log(Math.round(process.resourceUsage().maxRSS / 1_024));
  } else {
    console.table(await benchPdf());
  }
}
