import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { renderDeck } from '../../../src/documents/pptx/render-deck.ts';
import { describeWith, findProgram } from '../../programs.ts';
import { completeDeck, deck, input, salesTable, slide, text } from './sample-decks.ts';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'deck-'));
});
afterAll(async () => {
  await rm(folder, { recursive: true });
});

function pythonWithPptx(): string | undefined {
  const own = resolve('.venv/bin/python');
  const python = existsSync(own) ? own : findProgram('python3');
  if (python === undefined) return undefined;
  try {
    execFileSync(python, ['-c', 'import pptx'], { stdio: 'ignore' });
    return python;
  } catch {
    return undefined;
  }
}

const python = pythonWithPptx();

describeWith({ name: 'python-pptx', path: python }, 'python-pptx', () => {
  const script = `
import io, json, sys, openpyxl
from pptx import Presentation
deck = Presentation(sys.argv[1])
core = deck.core_properties
def chart_of(chart):
  sheet = openpyxl.load_workbook(io.BytesIO(chart.part.chart_workbook.xlsx_part.blob)).active
  return {
    'type': chart.chart_type.name,
    'series': [[one.name, list(one.values)] for plot in chart.plots for one in plot.series],
    'categories': list(chart.plots[0].categories),
    'workbook': [list(row) for row in sheet.iter_rows(values_only=True)],
  }
print(json.dumps({
  'size': [deck.slide_width, deck.slide_height],
  'core': [core.title, core.subject, core.language, core.created.isoformat()],
  'titles': [one.shapes.title.text if one.shapes.title is not None else None for one in deck.slides],
  'notes': [one.notes_slide.notes_text_frame.text if one.has_notes_slide else None for one in deck.slides],
  'charts': [chart_of(shape.chart) for one in deck.slides for shape in one.shapes if shape.has_chart],
  'tables': [[[cell.text for cell in row.cells] for row in shape.table.rows]
             for one in deck.slides for shape in one.shapes if shape.has_table],
  'pictures': [[shape.crop_left, shape.crop_top, shape.width / shape.height]
               for one in deck.slides for shape in one.shapes if shape.shape_type is not None and shape.shape_type.name == 'PICTURE'],
}))`;

  test('reads back titles, notes, tables, charts with their workbooks, pictures and properties', async () => {
    const path = join(folder, 'python.pptx');
    await writeFile(path, (await renderDeck(input(completeDeck()))).bytes);
    const read = JSON.parse(execFileSync(python ?? '', ['-c', script, path], { encoding: 'utf8' }));
    expect(read.size).toEqual([12_192_000, 6_858_000]);
    expect(read.core).toEqual(['Annual review', 'Everything at once', 'en-US', '2026-01-02T03:04:05']);
    expect(read.titles.slice(0, 9)).toEqual([
      'Annual review 2026',
      'Text: fits, wraps, shrinks',
      'Shapes',
      'Lines, outlines and text on any ground',
      'Pictures',
      'Charts',
      'A table',
      'A long table',
      'A long table (2/3)',
    ]);
    expect(read.notes[0]).toBe('Welcome everybody.\nKeep it short.\n\nŻółć, שלום, 你好');
    expect(read.notes[1]).toBeNull();
    expect(read.tables[0].slice(0, 2)).toEqual([
      ['Region', 'Product', 'Revenue', 'Growth', 'Closed'],
      ['North', 'Product 1', '€1,250.50', '-15.0%', '2026-03-01'],
    ]);
    expect(read.charts).toHaveLength(9);
    expect(read.charts[0]).toEqual({
      type: 'COLUMN_CLUSTERED',
      series: [
        ['North', [120, 132, 101, 134]],
        ['South', [90, -23, 88, 101]],
      ],
      categories: ['Q1', 'Q2', 'Q3', 'Q4'],
      workbook: [
        [null, 'North', 'South'],
        ['Q1', 120, 90],
        ['Q2', 132, -23],
        ['Q3', 101, 88],
        ['Q4', 134, 101],
      ],
    });
    expect(read.pictures[0]).toEqual([0, 0, expect.closeTo(3, 4)]);
    expect(read.pictures[1]).toEqual([expect.closeTo(1 / 3, 4), 0, expect.closeTo(1, 4)]);
  });
});

const soffice = findProgram('soffice', 'libreoffice');
const pdftotext = findProgram('pdftotext');
const office = soffice === undefined || pdftotext === undefined ? undefined : soffice;

describeWith({ name: 'LibreOffice with poppler', path: office }, 'LibreOffice', () => {
  test('opens a deck, keeps its slides and shows every row of a table within its slide', {
    timeout: 120_000,
  }, async () => {
    const path = join(folder, 'office.pptx');
    const heading = text('Sales', { x: 0.5, y: 0.4, w: 12, h: 0.8 }, { fontSize: 28 });
    const table = { type: 'table', table: salesTable(100), x: 0.5, y: 1.5, w: 12.3, h: 5 } as const;
    const { bytes } = await renderDeck(
      input(deck([slide(heading, table), slide(text('The end', { x: 1, y: 1, w: 5, h: 1 }))])),
    );
    await writeFile(path, bytes);
    const profile = `-env:UserInstallation=file://${join(folder, 'profile')}`;
    execFileSync(office ?? '', ['--headless', profile, '--convert-to', 'pdf', '--outdir', folder, path], {
      stdio: 'ignore',
      timeout: 110_000,
    });
    const shown = execFileSync(pdftotext ?? '', ['-layout', join(folder, 'office.pdf'), '-'], {
      encoding: 'utf8',
    });
    const pages = shown.split('\f').slice(0, -1);
    const rows = pages.flatMap((page) => [...page.matchAll(/Product (\d+)/g)].map(([, row]) => Number(row)));
    expect(rows).toEqual(Array.from({ length: 100 }, (_, index) => index + 1));
    for (const [index, page] of pages.slice(0, -1).entries()) {
      expect(page).toMatch(/Region\s+Product\s+Revenue/);
      // The slide number stands below the last row: no table runs over the foot.
      expect(page.trim().split(/\s+/).at(-1)).toBe(String(index + 1));
    }
    expect(pages.at(-1)).toContain('The end');
  });
});
