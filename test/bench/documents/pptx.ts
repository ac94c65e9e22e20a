import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import pptxgenjs from 'pptxgenjs';
import { palettes } from '../../../src/documents/palettes.ts';
import { renderDeck } from '../../../src/documents/pptx/render-deck.ts';
import type { Chart } from '../../../src/domain/documents/common.ts';
import type { DeckSpec, DeckTable, SlideElement } from '../../../src/domain/documents/deck-spec.ts';
import type { BenchRow } from '../bench-row.ts';
import { compareTimes } from '../compare-times.ts';

/** Measures decks of 10 and 50 slides against the library's own compressed form, and their size uncompressed. */
export async function benchPptx(): Promise<BenchRow[]> {
  const rows: BenchRow[] = [];
  for (const slides of [10, 50]) {
    const spec = deckOf(slides);
    const runs = slides === 10 ? 30 : 12;
    const work = { ours: () => render(spec), peer: () => libraryDeck(slides).stream({ compression: true }) };
    rows.push({
      ...(await compareTimes(`pptx ${slides} slides / pptxgenjs compressed`, work, { rounds: 3, runs })),
      target: 1.7,
      memoryMb: peakMemoryMb(slides),
    });
    const ours = (await render(spec)).bytes.byteLength / 1_024;
    const peer = byteLengthOf(await libraryDeck(slides).write({ outputType: 'nodebuffer' })) / 1_024;
    rows.push({
      name: `pptx ${slides} slides, KB / pptxgenjs uncompressed`,
      ours,
      peer,
      unit: 'KB',
      ratio: peer / ours,
      target: 4,
    });
  }
  const spec = deckOf(10, true);
  const work = {
    ours: () => render(spec),
    peer: () => libraryDeck(10, true).stream({ compression: true }),
  };
  rows.push({
    ...(await compareTimes('pptx 10 slides with charts / pptxgenjs compressed', work, {
      rounds: 3,
      runs: 12,
    })),
    target: 1.7,
  });
  return rows;
}

const bullets = [
  'Revenue grew in every region but one',
  'Costs fell by four per cent against the plan',
  'The new warehouse opens in the third quarter',
];
const columns = ['Region', 'Quantity', 'Amount', 'Share', 'Change'];
const cells = Array.from({ length: 8 }, (_, row) => [
  ['North', 'South', 'East', 'West'][row % 4] ?? 'North',
  (row * 7) % 113,
  ((row * 1_009) % 100_000) / 4,
  (row % 100) / 8,
  (row % 9) - 4,
]);
const labels = ['Q1', 'Q2', 'Q3', 'Q4'];
const series = [
  { name: 'North', values: [120, 132, 101, 134] },
  { name: 'South', values: [90, 23, 88, 101] },
];

function render(spec: DeckSpec) {
  return renderDeck({ spec, images: new Map(), createdAtMs: 0 });
}

const plain = { bold: false, italic: false, underline: false } as const;

function deckOf(slideCount: number, charts = false): DeckSpec {
  const table: DeckTable = {
    columns: columns.map((header) => ({ header })),
    rows: cells.map((row) => row.map((value) => ({ value }))),
    header: { bold: true },
    fontSize: 12,
  };
  const chart: Chart = {
    type: 'bar',
    labels,
    datasets: series.map(({ name, values }) => ({ label: name, data: values })),
    options: {},
  };
  const slides = Array.from({ length: slideCount }, (_, index) => {
    const elements: SlideElement[] = [
      {
        type: 'text',
        content: `Slide ${index + 1}`,
        bullet: false,
        ...plain,
        bold: true,
        fontSize: 30,
        x: 0.5,
        y: 0.4,
        w: 12.3,
        h: 0.8,
      },
      {
        type: 'text',
        content: bullets.join('\n'),
        bullet: true,
        ...plain,
        fontSize: 18,
        x: 0.5,
        y: 1.4,
        w: 6,
        h: 2,
      },
      {
        type: 'shape',
        shape: 'roundRect',
        fill: '2F6FB5',
        text: 'Good quarter',
        ...plain,
        fontSize: 20,
        x: 7,
        y: 1.4,
        w: 3,
        h: 1,
      },
      { type: 'shape', shape: 'rightArrow', fill: 'E08A1E', ...plain, x: 10.3, y: 1.4, w: 2.5, h: 1 },
      {
        type: 'line',
        x1: 0.5,
        y1: 1.25,
        x2: 12.8,
        y2: 1.25,
        width: 1,
        color: '2F6FB5',
        beginArrow: false,
        endArrow: false,
      },
      charts
        ? { type: 'chart', chart, x: 0.5, y: 3.6, w: 12.3, h: 3.2 }
        : { type: 'table', table, x: 0.5, y: 3.6, w: 12.3, h: 3.2 },
    ];
    return { elements, notes: `Notes of slide ${index + 1}`, showPageNumber: true };
  });
  return { title: 'Quarterly review', palette: 'corporate', language: 'en-US', slides };
}

// Its types describe a default export that CommonJS interop wraps once more.
const Library = pptxgenjs as unknown as typeof pptxgenjs.default;

/** The same deck as the library's own examples would write it. */
function libraryDeck(slideCount: number, charts = false) {
  const { primary, onPrimary } = palettes.corporate;
  const deck = new Library();
  deck.layout = 'LAYOUT_WIDE';
  deck.title = 'Quarterly review';
  for (let index = 0; index < slideCount; index++) {
    const slide = deck.addSlide();
    slide.slideNumber = { x: 11.3, y: 7.05, fontSize: 10 };
    slide.addText(`Slide ${index + 1}`, {
      x: 0.5,
      y: 0.4,
      w: 12.3,
      h: 0.8,
      fontSize: 30,
      bold: true,
      fit: 'shrink',
    });
    slide.addText(
      bullets.map((text) => ({ text, options: { bullet: true, breakLine: true } })),
      { x: 0.5, y: 1.4, w: 6, h: 2, fontSize: 18, fit: 'shrink' },
    );
    slide.addText('Good quarter', {
      shape: 'roundRect',
      fill: { color: '2F6FB5' },
      color: 'FFFFFF',
      fontSize: 20,
      align: 'center',
      x: 7,
      y: 1.4,
      w: 3,
      h: 1,
    });
    slide.addShape('rightArrow', { fill: { color: 'E08A1E' }, x: 10.3, y: 1.4, w: 2.5, h: 1 });
    slide.addShape('line', { line: { color: '2F6FB5', width: 1 }, x: 0.5, y: 1.25, w: 12.3, h: 0 });
    if (charts) {
      slide.addChart(
        'bar',
        series.map((one) => ({ ...one, labels })),
        { x: 0.5, y: 3.6, w: 12.3, h: 3.2, showLegend: true },
      );
    } else {
      slide.addTable(
        [
          columns.map((text) => ({
            text,
            options: { bold: true, color: onPrimary, fill: { color: primary } },
          })),
          ...cells.map((row) => row.map((value) => ({ text: String(value) }))),
        ],
        { x: 0.5, y: 3.6, w: 12.3, fontSize: 12, border: { type: 'solid', pt: 1, color: 'CBD5E1' } },
      );
    }
    slide.addNotes(`Notes of slide ${index + 1}`);
  }
  return deck;
}

function byteLengthOf(file: unknown): number {
  if (file instanceof Uint8Array) return file.byteLength;
  throw new Error('pptxgenjs wrote no bytes');
}

function peakMemoryMb(slides: number): number {
  const self = fileURLToPath(import.meta.url);
  return Number(execFileSync(process.execPath, [self, 'memory', String(slides)], { encoding: 'utf8' }));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  if (process.argv[2] === 'memory') {
    await render(deckOf(Number(process.argv[3])));
    console.log(Math.round(process.resourceUsage().maxRSS / 1_024));
  } else {
    console.table(await benchPptx());
  }
}
