import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ExcelJS from 'exceljs';
import { numberFormatCode } from '../../../src/documents/ooxml/number-format.ts';
import { renderWorkbook } from '../../../src/documents/xlsx/render-workbook.ts';
import type { WorkbookColumn, WorkbookSpec } from '../../../src/domain/documents/workbook-spec.ts';
import type { BenchRow } from '../bench-row.ts';

const columns: readonly WorkbookColumn[] = [
  { key: 'id', header: 'Order' },
  { key: 'customer', header: 'Customer' },
  { key: 'region', header: 'Region' },
  { key: 'amount', header: 'Amount', format: { kind: 'currency', currency: 'EUR' } },
  { key: 'date', header: 'Date', format: { kind: 'date' } },
  { key: 'share', header: 'Share', format: { kind: 'percent' } },
  { key: 'units', header: 'Units', format: { kind: 'integer' } },
  { key: 'price', header: 'Price', format: { kind: 'number' } },
  { key: 'weight', header: 'Weight' },
  { key: 'note', header: 'Note' },
];

/** A styled table of `rowCount` rows and the first `columnCount` of ten columns, the same at each call. */
export function benchWorkbook(rowCount: number, columnCount = columns.length): WorkbookSpec {
  const rows = Array.from({ length: rowCount }, (_, row) =>
    [
      `ORD-${100_000 + row}`,
      `Customer ${(row * 7_919) % 1_000}`,
      ['North', 'South', 'East', 'West'][row % 4] ?? '',
      ((row * 7_919) % 100_000) / 100,
      `2026-${String(1 + (row % 12)).padStart(2, '0')}-${String(1 + (row % 28)).padStart(2, '0')}`,
      ((row * 31) % 1_000) / 1_000,
      (row * 13) % 500,
      ((row * 104_729) % 10_000) / 7,
      row / 3,
      `Delivered with note ${row}`,
    ].slice(0, columnCount),
  );
  return {
    columns: columns.slice(0, columnCount),
    rows,
    styles: {},
    totals: [],
    conditionalRules: [],
    freezePanes: { row: true, column: false },
  };
}

/** Times the engine against exceljs used plainly and against XlsxWriter, in turns in one run. */
export async function benchXlsx(): Promise<BenchRow[]> {
  const large = benchWorkbook(5_000);
  const small = benchWorkbook(50, 6);
  const withChart: WorkbookSpec = { ...small, chartType: 'bar' };
  const [ours, plain] = await medians([() => ours5k(), () => exceljsPlain(large)], 7);
  const [chart, noChart] = await medians([() => render(withChart), () => exceljsPlain(small)], 60);
  const writer = xlsxWriter(large, 7);
  const rows: BenchRow[] = [
    row('xlsx 5,000×10 styled, exceljs', ours, plain, 7, peakMemoryMb(5_000)),
    row('xlsx 50×6 with a chart, exceljs without', chart, noChart, 1),
  ];
  if (writer !== undefined) rows.push(row('xlsx 5,000×10 styled, XlsxWriter', ours, writer, 2.5));
  const [ten, thousand, all] = await medians(
    [10, 1_000, 50_000].map((count) => () => render(benchWorkbook(count, 3))),
    5,
  );
  // Close to linear: 50 times the rows may cost 50 times the time and a little.
  rows.push(row('xlsx 50,000×3, 50 times 1,000×3', all, (thousand ?? 0) * 50, 0.7));
  rows.push(row('xlsx 10×3, 1,000×3', ten, thousand, 1));
  return rows;

  async function ours5k() {
    await render(large);
  }
}

function row(name: string, ours = 0, peer = 0, target: number, memoryMb?: number): BenchRow {
  return {
    name,
    ours,
    peer,
    unit: 'ms',
    ratio: peer / ours,
    target,
    ...(memoryMb === undefined ? {} : { memoryMb }),
  };
}

async function render(spec: WorkbookSpec): Promise<void> {
  await renderWorkbook({ spec, images: new Map(), createdAtMs: 0 });
}

/** Runs the tasks in turns and returns each one's median, after one round to warm up. */
async function medians(tasks: readonly (() => Promise<unknown>)[], rounds: number): Promise<number[]> {
  const times = tasks.map(() => [] as number[]);
  for (let round = 0; round <= rounds; round++) {
    for (const [index, task] of tasks.entries()) {
      const start = performance.now();
      await task();
      if (round > 0) times[index]?.push(performance.now() - start);
    }
  }
  return times.map(median);
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
}

/** The way that exceljs's own README shows: rows added, then each cell styled. */
async function exceljsPlain(spec: WorkbookSpec): Promise<void> {
  const workbook = new ExcelJS.Workbook();
  const sheet = workbook.addWorksheet('Data', { views: [{ state: 'frozen', ySplit: 1 }] });
  sheet.columns = spec.columns.map(({ key, header }) => ({ key, header, width: 16 }));
  sheet.getRow(1).eachCell((cell) => {
    cell.font = { bold: true, color: { argb: 'FFFFFFFF' } };
    cell.fill = { type: 'pattern', pattern: 'solid', fgColor: { argb: 'FF1F3A5F' } };
    cell.alignment = { wrapText: true };
  });
  for (const [index, values] of spec.rows.entries()) {
    const line = sheet.addRow(
      values.map((value, column) =>
        spec.columns[column]?.format?.kind === 'date' ? new Date(String(value)) : value,
      ),
    );
    line.eachCell((cell, column) => {
      const { format } = spec.columns[column - 1] ?? {};
      if (format !== undefined) cell.numFmt = numberFormatCode(format);
      cell.font = { color: { argb: 'FF1F2933' } };
      cell.border = { bottom: { style: 'hair', color: { argb: 'FFCBD5E1' } } };
      if (index % 2 === 1) cell.fill = { type: 'pattern', pattern: 'solid', fgColor: { argb: 'FFF2F5F9' } };
    });
  }
  sheet.autoFilter = {
    from: { row: 1, column: 1 },
    to: { row: spec.rows.length + 1, column: spec.columns.length },
  };
  await workbook.xlsx.writeBuffer();
}

/** Median of XlsxWriter, or undefined where no Python has it. */
function xlsxWriter(spec: WorkbookSpec, rounds: number): number | undefined {
  const own = fileURLToPath(new URL('../../../.venv/bin/python', import.meta.url));
  const python = existsSync(own) ? own : 'python3';
  const folder = mkdtempSync(join(tmpdir(), 'bench-'));
  try {
    const table = join(folder, 'table.json');
    writeFileSync(
      table,
      JSON.stringify({
        columns: spec.columns.map(({ header, format }) => ({
          header,
          width: 16,
          code: format === undefined ? null : numberFormatCode(format),
          date: format?.kind === 'date',
        })),
        rows: spec.rows,
      }),
    );
    const script = fileURLToPath(new URL('./xlsx-peer.py', import.meta.url));
    const output = execFileSync(python, [script, table, String(rounds)], { encoding: 'utf8', stdio: 'pipe' });
    return median(JSON.parse(output) as number[]);
  } catch (error) {
    console.warn(`skipped: XlsxWriter: ${error instanceof Error ? error.message.split('\n')[0] : error}`);
    return undefined;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Peak memory of a fresh process that renders one table. */
function peakMemoryMb(rowCount: number): number {
  const script =
    `const { renderWorkbook } = await import(${JSON.stringify(new URL('../../../src/documents/xlsx/render-workbook.ts', import.meta.url).href)});` +
    `const { benchWorkbook } = await import(${JSON.stringify(import.meta.url)});` +
    `await renderWorkbook({ spec: benchWorkbook(${rowCount}), images: new Map(), createdAtMs: 0 });` +
    'console.log(process.resourceUsage().maxRSS / 1024)';
  const output = execFileSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' });
  return Math.round(Number(output.trim()));
}
