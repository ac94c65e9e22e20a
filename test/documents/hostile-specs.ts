import {
  type CellValue,
  type Chart,
  chartTypes,
  type TableColumn,
} from '../../src/domain/documents/common.ts';
import type { DeckSpec, SlideElement } from '../../src/domain/documents/deck-spec.ts';
import type { SpecByFormat } from '../../src/domain/documents/formats.ts';
import type { ReportSection, ReportSpec } from '../../src/domain/documents/report-spec.ts';
import type { WordSection, WordSpec } from '../../src/domain/documents/word-spec.ts';
import type { WorkbookSpec } from '../../src/domain/documents/workbook-spec.ts';
import { limits } from '../../src/domain/limits.ts';
import { hostileTexts, repeat, scriptWords } from './hostile-texts.ts';

/** The same attack in the shape of each format; a format that cannot express it is left out. */
export interface HostileCase {
  readonly name: string;
  readonly specs: Partial<SpecByFormat>;
}

const bodyBytes = limits.request.bodyBytes;

/** As many times as the body has room for. */
function times<Item>(
  item: (index: number) => Item,
  itemBytes: number,
  countMax = Number.POSITIVE_INFINITY,
): Item[] {
  const count = Math.max(1, Math.min(countMax, Math.floor((bodyBytes - 4_096) / itemBytes)));
  return Array.from({ length: count }, (_, index) => item(index));
}

const bytesOf = (value: unknown) => Buffer.byteLength(JSON.stringify(value)) + 1;

const common = { title: 'Hostile', palette: 'corporate', language: 'en' } as const;

function word(sections: readonly Partial<WordSection>[], rest: Partial<WordSpec> = {}): WordSpec {
  return { ...common, markdown: true, sections: sections.map((each) => ({ level: 2, ...each })), ...rest };
}

function report(sections: readonly ReportSection[], rest: Partial<ReportSpec> = {}): ReportSpec {
  return { ...common, markdown: true, sections, ...rest };
}

function deck(slides: readonly (readonly SlideElement[])[], rest: Partial<DeckSpec> = {}): DeckSpec {
  return { ...common, slides: slides.map((elements) => ({ elements, showPageNumber: true })), ...rest };
}

function workbook(
  columns: readonly string[],
  rows: readonly (readonly CellValue[])[],
  rest: Partial<WorkbookSpec> = {},
): WorkbookSpec {
  return {
    columns: columns.map((header, index) => ({ key: `k${index}`, header })),
    rows,
    styles: {},
    totals: [],
    conditionalRules: [],
    freezePanes: { row: true, column: false },
    ...rest,
  };
}

const style = { bold: false, italic: false, underline: false };
const box = { x: 1, y: 1, w: 4, h: 2 };

function slideText(content: string, rest: Partial<SlideElement> = {}): SlideElement {
  return { type: 'text', content, bullet: false, ...box, ...style, ...rest } as SlideElement;
}

/** A whole body of one kind of text, and a little of it wherever text may stand. */
function textCase([name, whole]: readonly [string, string]): HostileCase {
  // Three of them must fit a body: in a paragraph, in a table, and the rest of the places together.
  const text = whole
    .slice(0, Math.floor((whole.length * bodyBytes) / Math.max(bodyBytes, 3 * bytesOf(whole))))
    .toWellFormed();
  const some = text.slice(0, 3_000).toWellFormed();
  const cellText = text.slice(0, limits.excel.cellChars).toWellFormed();
  const size = bytesOf(text);
  const chart: Chart = {
    type: 'bar',
    title: some,
    labels: Array.from({ length: 8 }, (_, index) => some.slice(0, 300 + index).toWellFormed()),
    datasets: [{ label: some, data: [1, 2, 3, 4, 5, 6, 7, 8] }],
    options: { xAxisTitle: some, yAxisTitle: some },
  };
  const table = {
    columns: [{ header: some }, { header: 'b' }],
    rows: [
      [some, 1],
      [cellText, text],
    ],
  };
  const everywhere = {
    heading: some,
    summary: [{ label: some, value: some }],
    bullets: [some],
    table,
    chart,
  };
  const room = bodyBytes - bytesOf(everywhere) - 8 * bytesOf(some);
  const filling = Array.from({ length: Math.max(1, Math.floor(room / size)) });
  return {
    name: `text: ${name}`,
    specs: {
      docx: word([{ ...everywhere, numbered: [some] }, ...filling.map(() => ({ text }))], {
        title: some,
        subtitle: some,
      }),
      pdf: report(
        [{ ...everywhere, callout: { label: some, text: some } }, ...filling.map(() => ({ text }))],
        {
          title: some,
          subtitle: some,
        },
      ),
      pptx: deck(
        [
          [
            slideText(some, { bullet: true } as Partial<SlideElement>),
            { type: 'shape', shape: 'ellipse', text: some, ...box, ...style },
            { type: 'chart', chart, ...box },
            {
              type: 'table',
              table: {
                columns: [{ header: some }],
                rows: [[{ value: some }], [{ value: cellText }]],
                header: { bold: true },
              },
              ...box,
            },
          ],
          ...filling.map(() => [slideText(text)]),
        ],
        { title: some, subtitle: some },
      ),
      xlsx: workbook(
        [some, 'b'],
        times((index) => [cellText, index], bytesOf([cellText, 1]), 400),
        { title: some },
      ),
    },
  };
}

function headers(count: number): TableColumn[] {
  return Array.from({ length: count }, (_, index) => ({ header: `c${index}` }));
}

/** Rows as a body carries them: objects with one-letter keys. */
function grid(
  columns: number,
  rowsMax: number,
  cellsMax: number,
  cell: (row: number, column: number) => CellValue,
) {
  const bytes = columns * (5 + bytesOf(cell(1, 1)));
  return times(
    (row) => Array.from({ length: columns }, (_, column) => cell(row, column)),
    bytes,
    Math.min(rowsMax, Math.floor(cellsMax / columns)),
  );
}

function gridCase(
  name: string,
  columns: { readonly docx: number; readonly pdf: number; readonly pptx: number; readonly xlsx: number },
  cell: (row: number, column: number) => CellValue,
): HostileCase {
  const { tableRows, tableCells } = limits.document;
  const table = (count: number, rows: number, cells: number) => ({
    columns: headers(count),
    rows: grid(count, rows, cells, cell),
  });
  const slides = table(columns.pptx, limits.pptx.tableRows, tableCells);
  return {
    name: `table: ${name}`,
    specs: {
      docx: word([{ table: table(columns.docx, tableRows, tableCells) }]),
      pdf: report([{ table: table(columns.pdf, limits.pdf.tableCells, limits.pdf.tableCells) }]),
      pptx: deck([
        [
          {
            type: 'table',
            table: {
              columns: slides.columns,
              rows: slides.rows.map((row) => row.map((value) => ({ value }))),
              header: { bold: true },
            },
            ...box,
          },
        ],
      ]),
      xlsx: workbook(
        headers(columns.xlsx).map(({ header }) => header),
        grid(columns.xlsx, tableRows, tableCells, cell),
      ),
    },
  };
}

const extremes = [1e308, -1e308, 5e-324, -0, 0, Number.MAX_SAFE_INTEGER, 0.1 + 0.2, 1e21, -1e-7, 1];

function chartCase(name: string, chart: Omit<Chart, 'type'>): HostileCase {
  const all = chartTypes.map((type) => ({ ...chart, type }));
  const charts = times((index) => all[index % all.length] as Chart, bytesOf(all[0]), 40);
  return {
    name: `chart: ${name}`,
    specs: {
      docx: word(charts.map((each) => ({ chart: each }))),
      pdf: report(charts.map((each) => ({ chart: each }))),
      pptx: deck(charts.map((each) => [{ type: 'chart', chart: each, ...box }])),
      ...(chart.labels.length === 0 || chart.datasets.length === 0
        ? {}
        : {
            xlsx: workbook(
              ['label', ...chart.datasets.map(({ label }, index) => label || `s${index}`)],
              chart.labels.map((label, row) => [
                label,
                ...chart.datasets.map(({ data }) => data[row] ?? null),
              ]),
              { chartType: 'combo' },
            ),
          }),
    },
  };
}

const longLists: HostileCase = {
  name: 'shape: lists of one letter',
  specs: {
    docx: word([{ bullets: times(() => 'a', 4) }]),
    pdf: report([{ bullets: times(() => 'a', 4) }]),
    pptx: deck(
      times(() => [slideText(repeat('a\n', 20_000), { bullet: true } as Partial<SlideElement>)], 40_100),
    ),
  },
};

const numberedLists: HostileCase = {
  name: 'shape: numbered lists of one letter',
  specs: {
    docx: word(times(() => ({ numbered: times(() => 'a', 4).slice(0, 240) }), 1_000, limits.docx.sections)),
  },
};

const manySections: HostileCase = {
  name: 'shape: as many sections as there may be',
  specs: {
    docx: word(
      times(
        (index) => ({ heading: `h${index}`, text: 't', bullets: ['b'], numbered: ['n'] }),
        100,
        limits.docx.sections,
      ),
    ),
    pdf: report(
      times((index) => ({ heading: `h${index}`, text: 't', bullets: ['b'] }), 100, limits.pdf.sections),
    ),
    pptx: deck(times((index) => [slideText(`t${index}`)], 100, limits.pptx.slides)),
  },
};

const manyTables: HostileCase = {
  name: 'shape: a table in every section',
  specs: {
    docx: word(
      times(
        (index) => ({ table: { columns: headers(index % 2 === 0 ? 2 : 40), rows: [[1, 2]] } }),
        900,
        limits.docx.sections,
      ).map(({ table }) => ({ table: { ...table, rows: [table.columns.map(() => 1)] } })),
    ),
    pdf: report(
      times(
        () => ({ table: { columns: headers(20), rows: [headers(20).map(() => 1)] } }),
        600,
        limits.pdf.sections,
      ),
    ),
  },
};

const manyMetrics: HostileCase = {
  name: 'shape: metrics',
  specs: {
    docx: word([{ summary: times(() => ({ label: 'a', value: '' }), 26) }]),
    pdf: report(
      times(
        () => ({
          summary: Array.from({ length: limits.pdf.summaryCards }, () => ({ label: 'a', value: 'b' })),
        }),
        140,
        limits.pdf.sections,
      ),
    ),
  },
};

const manyElements: HostileCase = {
  name: 'shape: slides full of elements',
  specs: {
    pptx: deck(
      times(
        (slideIndex) =>
          Array.from(
            { length: limits.pptx.elementsPerSlide },
            (_, index): SlideElement =>
              index % 3 === 0
                ? { type: 'line', x1: 0, y1: 0, x2: slideIndex, y2: 1, beginArrow: true, endArrow: true }
                : index % 3 === 1
                  ? { type: 'shape', shape: 'cloud', ...box, ...style }
                  : slideText('a'),
          ),
        limits.pptx.elementsPerSlide * 40,
        limits.pptx.slides,
      ),
    ),
  },
};

const manyRules: HostileCase = {
  name: 'shape: conditional rules and totals',
  specs: {
    xlsx: workbook(
      ['a', 'b'],
      times((index) => [index, index], 14, 2_000),
      {
        conditionalRules: times(
          (index) => ({
            target: { column: index % 2 },
            type: 'cellIs',
            operator: 'greaterThan',
            values: [index],
            style: { bold: true },
          }),
          90,
          10_000,
        ),
        totals: times(() => ({ type: 'SUM', columns: [0, 1], label: 't' }), 60, 1_000),
      },
    ),
  },
};

const manyPictures: HostileCase = {
  name: 'shape: every picture that there may be',
  specs: {
    docx: word(times(() => ({ image: { asset: 'large', alt: 'x', caption: 'c', width: 100 } }), 60, 20)),
    pdf: report(times(() => ({ image: { asset: 'large', alt: 'x', caption: 'c', width: 100 } }), 60, 20)),
    pptx: deck(
      times(
        () => [{ type: 'image', image: { asset: 'tall', alt: 'x' }, sizing: 'cover', ...box } as const],
        60,
        20,
      ),
    ),
  },
};

const repeatedHeader: HostileCase = {
  name: 'shape: a header of every script on every page',
  specs: {
    pdf: report([
      {
        table: {
          columns: Array.from({ length: limits.pdf.tableColumns }, (_, index) => ({
            header: scriptWords(index, 300),
          })),
          rows: [[repeat('a\n', 160_000)]],
        },
      },
    ]),
  },
};

const cardsOfEveryScript: HostileCase = {
  name: 'shape: cards of every script',
  specs: {
    pdf: report(
      times(
        (section) => ({
          summary: Array.from({ length: limits.pdf.summaryCards }, (_, card) => ({
            label: scriptWords(section + card, 80),
            value: scriptWords(section - card, 60),
          })),
        }),
        2_400,
        limits.pdf.sections,
      ),
    ),
  },
};

/** The corpus: inputs that broke a library or a prototype, and their like. */
export const hostileCases: readonly HostileCase[] = [
  ...hostileTexts.map(textCase),
  gridCase('a narrow one', { docx: 3, pdf: 3, pptx: 3, xlsx: 3 }, (row, column) => row * column),
  gridCase('a wide one', { docx: 63, pdf: 30, pptx: 60, xlsx: 200 }, (row, column) => row + column),
  gridCase('one column', { docx: 1, pdf: 1, pptx: 1, xlsx: 1 }, (row) => row),
  gridCase('empty cells', { docx: 3, pdf: 3, pptx: 3, xlsx: 3 }, () => null),
  gridCase('cells of many lines', { docx: 3, pdf: 3, pptx: 3, xlsx: 3 }, () => 'a\nb\nc\n'),
  gridCase(
    'cells of many scripts',
    { docx: 5, pdf: 5, pptx: 5, xlsx: 5 },
    (row, column) => ['漢字', 'עברית', 'ไทย', 'हिन्दी', '👩‍👧'][(row + column) % 5] ?? '',
  ),
  gridCase(
    'extreme numbers',
    { docx: 4, pdf: 4, pptx: 4, xlsx: 4 },
    (row, column) => extremes[(row + column) % extremes.length] ?? 0,
  ),
  chartCase('of every size', {
    labels: Array.from({ length: limits.chart.labels }, (_, index) => `l${index}`),
    datasets: Array.from({ length: limits.chart.datasets }, (_, index) => ({
      label: `s${index}`,
      data: Array.from({ length: limits.chart.labels }, (_, point) => (point * index) % 97),
    })),
    options: { dataLabels: true },
  }),
  chartCase('of extreme numbers', {
    labels: extremes.map(String),
    datasets: [
      { label: 'up', data: extremes },
      { label: 'down', data: [...extremes].reverse() },
    ],
    options: { dataLabels: true },
  }),
  chartCase('of nothing', { labels: [], datasets: [], options: {} }),
  chartCase('of gaps', {
    labels: ['a', 'b', 'c'],
    datasets: [
      { label: '', data: [null, null, null] },
      { label: '', data: [] },
    ],
    options: {},
  }),
  chartCase('of zeros', { labels: ['', ''], datasets: [{ label: 's', data: [0, 0] }], options: {} }),
  longLists,
  numberedLists,
  manySections,
  manyTables,
  manyMetrics,
  manyElements,
  manyRules,
  manyPictures,
  repeatedHeader,
  cardsOfEveryScript,
];
