import { execFileSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readZip, writeZip } from '../../../src/documents/ooxml/zip.ts';
import { renderWorkbook } from '../../../src/documents/xlsx/render-workbook.ts';
import { chartTypes } from '../../../src/domain/documents/common.ts';
import { formulaTypes, type WorkbookSpec } from '../../../src/domain/documents/workbook-spec.ts';
import { describeWith, findProgram } from '../../programs.ts';
import { pythonWithOpenpyxl } from './python.ts';
import { chartWorkbook, inputOf, salesReport, workbookOf } from './sample-workbooks.ts';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'workbook-'));
});
afterAll(async () => {
  await rm(folder, { recursive: true });
});

const python = pythonWithOpenpyxl();

async function read(spec: WorkbookSpec) {
  const path = join(folder, 'read.xlsx');
  await writeFile(path, (await renderWorkbook(inputOf(spec))).bytes);
  const script = join(import.meta.dirname, 'read-workbook.py');
  return JSON.parse(execFileSync(python ?? '', [script, path], { encoding: 'utf8' }));
}

describeWith({ name: 'openpyxl', path: python }, 'openpyxl', () => {
  test('reads back numbers, dates, booleans and text as what they are', async () => {
    const spec = workbookOf(
      [
        { key: 'n', header: 'Number' },
        { key: 'd', header: 'Date', format: { kind: 'date' } },
        { key: 't', header: 'Time', format: { kind: 'datetime' } },
        { key: 'c', header: 'Clock', format: { kind: 'time' } },
        { key: 'b', header: 'Flag' },
        { key: 's', header: 'Text', format: { kind: 'text' } },
        { key: 'p', header: 'Share', format: { kind: 'percent' } },
        { key: 'e', header: 'Euro', format: { kind: 'currency', currency: 'EUR' } },
        { key: 'y', header: 'Yen', format: { kind: 'currency', currency: 'JPY' } },
        { key: 'x', header: 'Custom', format: { kind: 'custom', code: '0.000' } },
      ],
      [
        [-1.5, '2024-02-29', '2024-02-29T13:30:00+02:00', '06:30', true, '=1+1', 0.125, -3.5, 1200, 1],
        [0, Date.UTC(1999, 11, 31), 0, null, false, '007', 1, 2, 3, 2],
        [1e15, '1899-01-01', 'soon', '25:00', null, 42, null, null, null, 'n/a'],
      ],
    );
    const [sheet] = (await read(spec)).sheets;
    expect(sheet.cells.slice(1)).toEqual([
      [
        -1.5,
        { date: '2024-02-29T00:00:00' },
        { date: '2024-02-29T11:30:00' },
        { date: '06:30:00' },
        true,
      ].concat(['=1+1', 0.125, -3.5, 1200, 1] as never[]),
      [0, { date: '1999-12-31T00:00:00' }, { date: '1970-01-01T00:00:00' }, null, false, '007', 1, 2, 3, 2],
      [1e15, '1899-01-01', 'soon', '25:00', null, '42', null, null, null, 'n/a'],
    ]);
    expect(sheet.types[1]).toEqual(['n', 'd', 'd', 'd', 'b', 's', 'n', 'n', 'n', 'n']);
    expect(sheet.formats[1].slice(1, 4)).toEqual(['yyyy-mm-dd', 'yyyy-mm-dd hh:mm', 'hh:mm:ss']);
    expect(sheet.formats[1].slice(6)).toEqual([
      '0.0%',
      '[$€]#,##0.00;\\-[$€]#,##0.00',
      '[$¥]#,##0;\\-[$¥]#,##0',
      '0.000',
    ]);
  });

  test('finds totals as formulas, with the results that the values give', async () => {
    const [sheet] = (await read(salesReport)).sheets;
    expect(sheet.cells[9].slice(0, 4)).toEqual(['Total', null, '=SUM(C2:C9)', '=SUM(D2:D9)']);
    expect(sheet.cached[9].slice(2, 4)).toEqual([1_093_014, 711_249.25]);
    expect(sheet.cells[10].slice(0, 6)).toEqual([
      'Average',
      null,
      '=AVERAGE(C2:C9)',
      '=AVERAGE(D2:D9)',
      '=AVERAGE(E2:E9)',
      '=AVERAGE(F2:F9)',
    ]);
    expect(sheet.cached[10][4]).toBeCloseTo(0.2555, 10);
    expect(sheet.formats[9][2]).toContain('€');
  });

  test('finds title, header, alternate rows, frozen header, filter, print set-up and properties', async () => {
    const book = await read({
      ...salesReport,
      freezePanes: { row: true, column: true },
      styles: { headerBg: '112233', altRowBg: 'EEFFEE' },
    });
    const [sheet] = book.sheets;
    expect(sheet.name).toBe('Sales report 2026');
    expect(sheet.cells[0][0]).toBe('Month');
    expect(sheet.bold[0][0]).toBe(true);
    expect(sheet.fills.slice(0, 4).map(([fill]: [string]) => fill)).toEqual([
      'FF112233',
      null,
      'FFEEFFEE',
      null,
    ]);
    expect(sheet.align[1].slice(0, 3)).toEqual(['left', 'center', 'right']);
    expect(sheet.freeze).toBe('B2');
    expect(sheet.filter).toBe('A1:H9');
    expect(sheet.titles).toBe('$1:$1');
    expect(sheet.orientation).toBe('landscape');
    expect(sheet.fit).toEqual([true, 1, 0]);
    expect(book.properties).toEqual({
      title: 'Sales report 2026',
      creator: 'Service',
      created: '2026-03-14T09:26:53',
      modified: '2026-03-14T09:26:53',
    });
  });

  test.for([
    ['row', { row: true, column: false }, 'A2'],
    ['col', { row: false, column: true }, 'B1'],
    ['both', { row: true, column: true }, 'B2'],
    ['nothing', { row: false, column: false }, null],
  ] as const)('finds %s frozen', async ([, freezePanes, expected]) => {
    const spec = workbookOf([{ key: 'a', header: 'A' }], [[1]], { freezePanes });
    expect((await read(spec)).sheets[0].freeze).toBe(expected);
  });

  const kinds = {
    bar: ['BarChart'],
    line: ['LineChart'],
    pie: ['PieChart'],
    doughnut: ['DoughnutChart'],
    area: ['AreaChart'],
    stacked: ['BarChart'],
    combo: ['BarChart', 'LineChart'],
    waterfall: ['BarChart'],
  };

  test.for(chartTypes)('finds a %s chart whose ranges are cells of the workbook', async (type) => {
    const book = await read(chartWorkbook(type));
    const sheet = book.sheets[1];
    expect(book.sheets).toHaveLength(2);
    expect(sheet.name).toBe('Chart');
    expect(sheet.charts).toHaveLength(1);
    expect(sheet.charts[0].kinds).toEqual(kinds[type]);
    const [first] = sheet.charts[0].series;
    if (type === 'waterfall') {
      expect(first).toEqual({ name: "'Chart'!$D$31", values: "'Chart'!$D$32:$D$40", points: 7 });
    } else {
      const data = "'Sales report 2026'!";
      expect(first).toEqual({ name: `${data}$C$1`, values: `${data}$C$2:$C$9`, points: 8 });
    }
    const counts = { pie: 1, doughnut: 1, waterfall: 6 } as Record<string, number>;
    expect(sheet.charts[0].series).toHaveLength(counts[type] ?? 4);
  });
});

const soffice = findProgram('soffice');

/** The same workbook with every formula's result, or every formula, taken away. */
function without(what: 'results' | 'formulas', bytes: Uint8Array): Uint8Array {
  const formulaCell = /<c ([^>]*?)( t="\w+")?>(<f>[^<]*<\/f>)(<v>[^<]*<\/v>)/g;
  const parts = [...readZip(bytes)].map(([name, data]) => {
    if (!name.startsWith('xl/worksheets/sheet')) return [name, data] as const;
    const xml = Buffer.from(data).toString('utf8');
    return [name, xml.replace(formulaCell, what === 'results' ? '<c $1>$3' : '<c $1$2>$4')] as const;
  });
  return writeZip(parts);
}

async function csvOfSheets(bytes: Uint8Array, name: string): Promise<string[]> {
  await writeFile(join(folder, `${name}.xlsx`), bytes);
  const profile = `-env:UserInstallation=file://${folder}/profile`;
  const filter = 'csv:Text - txt - csv (StarCalc):44,34,76,1,,0,false,true,false,false,false,-1';
  execFileSync(soffice ?? '', [
    '--headless',
    profile,
    '--convert-to',
    filter,
    '--outdir',
    folder,
    join(folder, `${name}.xlsx`),
  ]);
  return Promise.all(
    ['Data', 'Chart'].map((sheet) => readFile(join(folder, `${name}-${sheet}.csv`), 'utf8')),
  );
}

describeWith({ name: 'LibreOffice', path: soffice }, 'LibreOffice', () => {
  test('computes the same totals and steps of a waterfall as are stored', { timeout: 120_000 }, async () => {
    const values = [120.5, -30.25, null, -140, 'n/a', 65.75, -6, 0.5];
    const spec = workbookOf(
      [
        { key: 'label', header: 'Label' },
        { key: 'change', header: 'Change' },
        { key: 'none', header: 'None', format: { kind: 'number' } },
      ],
      values.map((value, index) => [`Step ${index}`, value, null]),
      {
        chartType: 'waterfall',
        // LibreOffice has another error than Excel for the median of nothing.
        totals: formulaTypes.map((type) => ({
          type,
          columns: type === 'MEDIAN' ? [1] : [1, 2],
          label: type,
        })),
      },
    );
    const { bytes } = await renderWorkbook(inputOf(spec));
    const stored = await csvOfSheets(without('formulas', bytes), 'stored');
    const computed = await csvOfSheets(without('results', bytes), 'computed');
    expect(stored[0]).toContain('SUM,10.5,0');
    expect(stored[0]).toContain('#DIV/0!');
    expect(stored[1]).toContain('Total');
    expect(computed).toEqual(stored);
  });
});
