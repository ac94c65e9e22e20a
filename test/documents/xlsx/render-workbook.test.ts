import { Worker } from 'node:worker_threads';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readZip } from '../../../src/documents/ooxml/zip.ts';
import { exceljsParts } from '../../../src/documents/xlsx/exceljs-package.ts';
import { orderFonts } from '../../../src/documents/xlsx/font-order.ts';
import { finishSheet, renderWorkbook } from '../../../src/documents/xlsx/render-workbook.ts';
import { rowHeights } from '../../../src/documents/xlsx/row-heights.ts';
import { planSheet } from '../../../src/documents/xlsx/sheet-plan.ts';
import { sheetStyles, workbookTheme } from '../../../src/documents/xlsx/sheet-styles.ts';
import { workbookStructure } from '../../../src/documents/xlsx/workbook-structure.ts';
import type { ImageAsset } from '../../../src/domain/documents/common.ts';
import { chartTypes } from '../../../src/domain/documents/common.ts';
import type { WorkbookSpec } from '../../../src/domain/documents/workbook-spec.ts';
import { ServiceError } from '../../../src/domain/errors.ts';
import { packageProblems } from '../ooxml/check-package.ts';
import { officeProblems } from '../ooxml/validate.ts';
import { anyWorkbookSpec, assetNames } from '../spec-arbitraries.ts';
import { exceljsRows } from './exceljs-rows.ts';
import { chartWorkbook, createdAtMs, inputOf, salesReport, workbookOf } from './sample-workbooks.ts';

const pixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const images = new Map<string, ImageAsset>(
  assetNames.map((name) => [name, { kind: 'png', width: 1, height: 1, bytes: pixel }]),
);

async function parts(spec: WorkbookSpec): Promise<(name: string) => string> {
  const read = readZip((await renderWorkbook({ spec, images, createdAtMs })).bytes);
  return (name) => Buffer.from(read.get(name) ?? new Uint8Array()).toString('utf8');
}

describe('the written rows', () => {
  /** Every part as exceljs writes it when it is given all cells. */
  async function exceljsFile(spec: WorkbookSpec): Promise<Map<string, string>> {
    const input = { spec, images, createdAtMs };
    const plan = planSheet(spec);
    const theme = workbookTheme(spec.styles);
    const workbook = workbookStructure(
      input,
      plan,
      sheetStyles(plan, theme),
      theme,
      undefined,
      exceljsRows(rowHeights(plan, theme)),
    );
    const written = new Map([...(await exceljsParts(workbook))].map(([name, xml]) => [name, String(xml)]));
    const sheet = 'xl/worksheets/sheet1.xml';
    written.set(sheet, finishSheet(written.get(sheet) ?? '', spec, plan));
    written.set('xl/styles.xml', orderFonts(written.get('xl/styles.xml') ?? ''));
    return written;
  }

  test('are the file that exceljs writes from the same cells', async () => {
    for (const spec of [
      salesReport,
      { ...salesReport, title: '' },
      { ...salesReport, styles: { fontSize: 14 } },
    ]) {
      const ours = await parts(spec);
      const theirs = await exceljsFile(spec);
      expect([...theirs.keys()].sort()).toContain('xl/worksheets/sheet1.xml');
      for (const [name, xml] of theirs) expect(ours(name), name).toBe(xml);
    }
  });

  test('are so for any table without a picture', async () => {
    await fc.assert(
      fc.asyncProperty(anyWorkbookSpec, async ({ logo: _logo, chartType: _chart, ...spec }) => {
        const ours = await parts(spec);
        for (const [name, xml] of await exceljsFile(spec)) expect(ours(name), name).toBe(xml);
      }),
      { numRuns: 60 },
    );
  });
});

describe('a workbook', () => {
  test.for(chartTypes)('with a %s chart is valid', async (type) => {
    const { bytes } = await renderWorkbook(inputOf(chartWorkbook(type)));
    expect(await officeProblems(bytes, 'xlsx')).toEqual([]);
  });

  test('of any spec is a sound package, the same each time', async () => {
    await fc.assert(
      fc.asyncProperty(anyWorkbookSpec, async (spec) => {
        const render = () =>
          renderWorkbook({ spec: structuredClone(spec), images, createdAtMs }).catch((error: unknown) => {
            if (error instanceof ServiceError && error.slug === 'spec_invalid') return undefined;
            throw error;
          });
        const once = await render();
        if (once === undefined) return;
        expect(packageProblems(once.bytes)).toEqual([]);
        expect(Buffer.from((await render())?.bytes ?? []).equals(once.bytes)).toBe(true);
      }),
      { numRuns: 80 },
    );
  });

  test('has the same bytes in a worker thread', async () => {
    const module = new URL('../../../src/documents/xlsx/render-workbook.ts', import.meta.url).href;
    const worker = new Worker(
      `const { parentPort, workerData } = require('node:worker_threads');
       import(${JSON.stringify(module)}).then(async ({ renderWorkbook }) => {
         const { bytes } = await renderWorkbook({ ...workerData, images: new Map() });
         parentPort.postMessage(bytes);
       });`,
      { eval: true, workerData: { spec: chartWorkbook('combo'), createdAtMs } },
    );
    const [there] = await new Promise<[Uint8Array]>((resolve, reject) => {
      worker.once('message', (bytes: Uint8Array) => resolve([bytes]));
      worker.once('error', reject);
    });
    await worker.terminate();
    const here = (await renderWorkbook(inputOf(chartWorkbook('combo')))).bytes;
    expect(Buffer.from(there).equals(here)).toBe(true);
  });

  test('keeps numbers in text columns without a warning triangle', async () => {
    const spec = workbookOf([{ key: 'zip', header: 'Zip', format: { kind: 'text' } }], [['01234'], [98765]]);
    const sheet = (await parts(spec))('xl/worksheets/sheet1.xml');
    expect(sheet).toContain('<ignoredError sqref="A2:A3" numberStoredAsText="1"/>');
  });

  test('keeps text that reads as an escape, spaces and line breaks', async () => {
    const text = ' a_x000D_b\r\nc\td';
    const strings = (await parts(workbookOf([{ key: 'a', header: 'A' }], [[text]])))('xl/sharedStrings.xml');
    expect(strings).toContain('<t xml:space="preserve"> a_x005F_x000D_b\nc\td</t>');
  });

  test('prints the title above every page, with an ellipsis where it is too long for that', async () => {
    const sheetOf = async (title: string) =>
      (await parts(workbookOf([{ key: 'a', header: 'A' }], [['x']], { title })))('xl/worksheets/sheet1.xml');
    expect(await sheetOf('Sales & costs')).toContain('Bold&quot;Sales &amp;&amp; costs</oddHeader>');
    expect(await sheetOf('word '.repeat(60))).toMatch(/Bold&quot;word [a-z ]{50,110}…<\/oddHeader>/);
  });

  test('shows a logo above the title, with its alternative text', async () => {
    const spec = { ...salesReport, logo: { asset: 'wide', alt: 'The "Acme" logo' } };
    const part = await parts(spec);
    expect(part('xl/drawings/drawing1.xml')).toContain('descr="The &quot;Acme&quot; logo"');
    expect(part('xl/worksheets/sheet1.xml')).toContain('<c r="A2"');
    expect(part('xl/worksheets/sheet1.xml')).toContain('<autoFilter ref="A4:H12"/>');
    const { bytes } = await renderWorkbook({ spec: { ...spec, chartType: 'bar' }, images, createdAtMs });
    expect(await officeProblems(bytes, 'xlsx')).toEqual([]);
  });

  test('without rows has a header, totals of nothing, and one empty row for them to speak of', async () => {
    const spec = workbookOf(
      [
        { key: 'a', header: 'A' },
        { key: 'b', header: 'B', format: { kind: 'number' } },
      ],
      [],
      {
        totals: [{ type: 'SUM', columns: [1] }],
        chartType: 'bar',
      },
    );
    const { bytes } = await renderWorkbook(inputOf(spec));
    expect(await officeProblems(bytes, 'xlsx')).toEqual([]);
    expect((await parts(spec))('xl/worksheets/sheet1.xml')).toContain('<f>SUM(B2:B2)</f><v>0</v>');
  });
});

describe('a chart sheet', () => {
  test('needs a numeric column besides the first', async () => {
    const columns = [
      { key: 'a', header: 'A' },
      { key: 'b', header: 'B' },
    ];
    const spec = workbookOf(columns, [[1, 'x']], { chartType: 'bar' });
    await expect(renderWorkbook(inputOf(spec))).rejects.toMatchObject({
      slug: 'spec_invalid',
      title: 'excel: a chart needs a numeric column besides the first',
    });
  });

  test.for(chartTypes)('is there for a sheet without rows, as a %s', async (chartType) => {
    const columns = [
      { key: 'a', header: 'A' },
      { key: 'b', header: 'B' },
    ];
    const spec = workbookOf(columns, [], { chartType });
    const { bytes } = await renderWorkbook(inputOf(spec));
    expect(await officeProblems(bytes, 'xlsx')).toEqual([]);
    expect((await parts(spec))('xl/charts/chart1.xml')).toContain('<c:ser>');
  });

  const long = (rows: number, type: (typeof chartTypes)[number]) =>
    workbookOf(
      [
        { key: 'a', header: 'A' },
        { key: 'b', header: 'B' },
      ],
      Array.from({ length: rows }, (_, index) => [`Item ${index}`, index + 1]),
      { chartType: type },
    );

  test('draws every row as a line, and says how many columns of very many it draws', async () => {
    const line = await renderWorkbook(inputOf(long(3_000, 'line')));
    expect(line.warnings).toEqual([]);
    expect((await parts(long(3_000, 'line')))('xl/charts/chart1.xml')).toContain('$B$2:$B$3001');
    const bar = await renderWorkbook(inputOf(long(3_000, 'bar')));
    expect(bar.warnings).toEqual(['The chart shows the first 250 of 3,000 rows.']);
    expect((await parts(long(3_000, 'bar')))('xl/charts/chart1.xml')).toContain('$B$2:$B$251');
  });

  test('gathers the small slices of a long pie, by formulas over the data', async () => {
    const part = await parts(long(40, 'pie'));
    expect(part('xl/charts/chart1.xml')).toContain("'Chart'!$B$32:$B$43");
    expect(part('xl/worksheets/sheet2.xml')).toContain(
      '<f>IF(ISNUMBER(&apos;Data&apos;!B41),&apos;Data&apos;!B41,0)</f><v>40</v>',
    );
    expect(part('xl/worksheets/sheet2.xml')).toContain(
      '<f>SUM(&apos;Data&apos;!$B$2:$B$41)-SUM(B32:B42)</f><v>435</v>',
    );
  });

  test('ends a waterfall on a total, and takes a stated total for one', async () => {
    const columns = [
      { key: 'a', header: 'Step' },
      { key: 'b', header: 'Change' },
    ];
    const rows = [
      ['Start', 100],
      ['Costs', -40],
      ['Net result', 60],
    ] as const;
    const stated = await parts(workbookOf(columns, rows, { chartType: 'waterfall' }));
    expect(stated('xl/charts/chart1.xml')).toContain("'Chart'!$A$32:$A$34");
    const open = await parts(workbookOf(columns, rows.slice(0, 2), { chartType: 'waterfall' }));
    expect(open('xl/charts/chart1.xml')).toContain('<c:pt idx="2"><c:v>Total</c:v></c:pt>');
    expect(open('xl/charts/chart1.xml')).toContain('<c:pt idx="2"><c:v>60</c:v></c:pt>');
  });

  test('keeps dates of the first column as dates on the axis', async () => {
    const spec = workbookOf(
      [
        { key: 'a', header: 'Day', format: { kind: 'date' } },
        { key: 'b', header: 'B' },
      ],
      [['2026-01-01', 3]],
      { chartType: 'line' },
    );
    const chart = (await parts(spec))('xl/charts/chart1.xml');
    expect(chart).toContain('<c:cat><c:numRef>');
    expect(chart).toContain('<c:v>46023</c:v>');
    expect(chart).toContain('formatCode="yyyy-mm-dd"');
  });
});
