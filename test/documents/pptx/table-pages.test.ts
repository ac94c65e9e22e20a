import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readZip } from '../../../src/documents/ooxml/zip.ts';
import { planSlide } from '../../../src/documents/pptx/plan-slides.ts';
import { renderDeck } from '../../../src/documents/pptx/render-deck.ts';
import { pageTable } from '../../../src/documents/pptx/table-pages.ts';
import type { DeckTable, SlideElement } from '../../../src/domain/documents/deck-spec.ts';
import { chart, deck, input, pictures, plain, salesTable, slide, text } from './sample-decks.ts';

type TableElement = Extract<SlideElement, { type: 'table' }>;

const box = { x: 0.5, y: 1.5, w: 12.3, h: 5 };
const tableOf = (table: DeckTable, place = box): TableElement => ({ type: 'table', table, ...place });
const heading = text('Sales', { x: 0.5, y: 0.4, w: 12, h: 0.8 }, { fontSize: 28 });

function plan(...elements: SlideElement[]) {
  const asset = pictures.get('wide');
  if (asset === undefined) throw new Error('no picture');
  return planSlide(slide(...elements), { assetOf: () => asset, warn: () => {}, slidesLeft: 1_000 });
}

describe('a table', () => {
  test('that fits stays on its slide', () => {
    expect(plan(tableOf(salesTable(8)))).toHaveLength(1);
  });

  test('is set smaller, within what can be read, before it takes a second slide', () => {
    const [page] = pageTable(tableOf(salesTable(17)), [], 1);
    expect(page.layout.rows[0]?.fontSize).toBeLessThan(14);
    expect(page.endRow).toBe(17);
  });

  test('that is too long goes on, every row once and in order, no page over the foot', () => {
    const rowText = fc.string({ maxLength: 300 });
    const rows = fc.array(fc.tuple(rowText, rowText), { minLength: 1, maxLength: 80 });
    const place = fc.record({
      x: fc.constant(0.5),
      y: fc.double({ min: 0, max: 5, noNaN: true }),
      w: fc.double({ min: 2, max: 12, noNaN: true }),
      h: fc.double({ min: 0.1, max: 7, noNaN: true }),
    });
    fc.assert(
      fc.property(rows, place, fc.option(fc.integer({ min: 6, max: 40 })), (texts, at, fontSize) => {
        const table: DeckTable = {
          columns: [{ header: 'A' }, { header: 'B' }],
          rows: texts.map((row) => row.map((value) => ({ value }))),
          header: { bold: true },
          ...(fontSize === null ? {} : { fontSize }),
        };
        const pages = pageTable(tableOf(table, at), [], 1);
        let next = 0;
        for (const [index, page] of pages.entries()) {
          expect(page.firstRow).toBe(next);
          next = page.endRow;
          expect(page.box.y + page.box.h).toBeLessThanOrEqual((index === 0 ? 7.5 : 7) + 1e-6);
        }
        expect(next).toBe(texts.length);
      }),
    );
  });

  test('grows down to the next element below it and no further', () => {
    const place = { ...box, h: 1 };
    const source = text('Source', { x: 0.5, y: 5, w: 4, h: 0.3 });
    const [page] = pageTable(tableOf(salesTable(60), place), [source], 1);
    expect(page.box.y + page.box.h).toBeLessThanOrEqual(5);
    expect(page.box.h).toBeGreaterThan(2.5);
    const aside = { ...source, x: 12.9, w: 0.3 };
    const [free] = pageTable(tableOf(salesTable(60), place), [aside], 1);
    expect(free.endRow).toBeGreaterThan(page.endRow);
  });

  test('spreads out in a box that it does not fill, but not over what stands in it', () => {
    const [page] = pageTable(tableOf(salesTable(5)), [], 1);
    expect(page.stretch).toBeGreaterThan(1);
    expect(page.stretch).toBeLessThanOrEqual(1.6);
    const note = text('Note', { x: 0.5, y: 1.5 + page.box.h / page.stretch + 0.3, w: 4, h: 0.3 });
    const [narrow] = pageTable(tableOf(salesTable(5)), [note], 1);
    expect(narrow.box.y + narrow.box.h).toBeLessThanOrEqual(note.type === 'text' ? note.y : 0);
  });

  test('goes on with rows that no size makes fit, one to a slide', () => {
    const row = [{ value: 'x\n'.repeat(900) }];
    const pages = pageTable(tableOf({ rows: [row, row, row], header: { bold: true } }), [], 1);
    expect(pages.map(({ firstRow, endRow }) => [firstRow, endRow])).toEqual([
      [0, 1],
      [1, 2],
      [2, 3],
    ]);
  });

  test('shrinks a row that is higher than a page onto one', () => {
    const table: DeckTable = {
      rows: [[{ value: 'x' }], [{ value: 'word '.repeat(4_000) }]],
      header: { bold: true },
    };
    const pages = pageTable(tableOf(table), [], 1);
    expect(pages).toHaveLength(2);
    expect(pages[1]?.layout.rows[1]?.fontSize).toBeLessThan(12);
    expect(pages[1]?.box.h).toBeLessThanOrEqual(6 + 1e-6);
  });
});

describe('the slides that continue a table', () => {
  test('repeat the header, the numbered title, head and foot, and carry no notes, charts or asides', async () => {
    const band: SlideElement = { type: 'shape', shape: 'rect', ...plain, x: 0, y: 0, w: 13.333, h: 1.2 };
    const spec = deck([
      {
        ...slide(
          band,
          heading,
          tableOf(salesTable(60), { ...box, w: 8 }),
          { type: 'chart', chart: chart('bar'), x: 9, y: 1.5, w: 4, h: 4 },
          text('An aside', { x: 9, y: 6, w: 4, h: 0.5 }),
          text('Source: ledger', { x: 0.5, y: 7.05, w: 4, h: 0.3 }, { fontSize: 10 }),
        ),
        notes: 'Say it once.',
        background: { color: 'F0F0F0' },
      },
    ]);
    const { bytes } = await renderDeck(input(spec));
    const parts = readZip(bytes);
    const count = [...parts.keys()].filter((name) => /^ppt\/slides\/slide\d+\.xml$/.test(name)).length;
    expect(count).toBeGreaterThan(2);
    for (let number = 2; number <= count; number++) {
      const xml = Buffer.from(parts.get(`ppt/slides/slide${number}.xml`) ?? []).toString();
      expect(xml).toContain(`<a:t>Sales (${number}/${count})</a:t>`);
      expect(xml).toContain('<a:t>Region</a:t>');
      expect(xml).toContain('name="rect 2"');
      expect(xml).toContain('Source: ledger');
      expect(xml).toContain('F0F0F0');
      expect(xml).not.toContain('An aside');
      expect(xml).not.toContain('c:chart');
      expect(parts.has(`ppt/notesSlides/notesSlide${number}.xml`)).toBe(false);
    }
  });

  test('begin below the head when the table began far down', () => {
    const [, second] = plan(heading, tableOf(salesTable(60), { ...box, y: 5, h: 1.5 }));
    const page = second?.elements.find((element) => element.type === 'tablePage');
    expect(page?.type === 'tablePage' ? page.page.box.y : undefined).toBeCloseTo(1.35);
  });

  test('repeat the title only when there is much else', () => {
    const dots = Array.from({ length: 40 }, (_, index): SlideElement => {
      return { type: 'shape', shape: 'ellipse', ...plain, x: index / 4, y: 0.1, w: 0.1, h: 0.1 };
    });
    const [, second] = plan(...dots, heading, tableOf(salesTable(60)));
    expect(second?.elements.map(({ type }) => type)).toEqual(['text', 'tablePage']);
  });
});
