import fc from 'fast-check';
import { type Chart, chartTypes, paletteNames, type Table } from '../../src/domain/documents/common.ts';
import { type DeckSpec, shapeNames } from '../../src/domain/documents/deck-spec.ts';
import type { ReportSpec } from '../../src/domain/documents/report-spec.ts';
import { sanitiseText } from '../../src/domain/documents/sanitise-text.ts';
import type { WordSpec } from '../../src/domain/documents/word-spec.ts';
import { formulaTypes, iconSets, type WorkbookSpec } from '../../src/domain/documents/workbook-spec.ts';

/** Assets that generated specs refer to. */
export const assetNames = ['wide', 'tall'] as const;

const nasty = [
  '<w:p>',
  '&amp;',
  ']]>',
  '"',
  "'",
  '**',
  '*',
  '`',
  '[a](https://x.y/?a=1&b="c")',
  '[',
  '](https://',
  '\n',
  '\t',
  '\u0085',
  '\u2028',
  '\u00a0',
  '\u00ad',
  '\u200f',
  '\u202e',
  '\u0301',
  'שלום',
  'عربي',
  '漢字',
  'हिन्दी',
  'ภาษาไทย',
  '👩‍👩‍👧',
  '\ue000',
  '\u{10fffd}',
  '{bullets-0}',
  '_x000D_',
  '=1+1',
  '@SUM(A1)',
  '-2',
  ' ',
  'word',
  '12.5',
  '1e999',
  '#REF!',
  '%PDF',
  'endstream',
  '(\\',
];

/** Text as a parsed spec may carry it: any characters, markup of every kind, several scripts. */
const anyText: fc.Arbitrary<string> = fc
  .oneof(
    { weight: 4, arbitrary: fc.string({ unit: 'grapheme', maxLength: 40 }) },
    { weight: 2, arbitrary: fc.string({ unit: 'binary', maxLength: 40 }) },
    {
      weight: 4,
      arbitrary: fc.array(fc.constantFrom(...nasty), { maxLength: 12 }).map((pieces) => pieces.join('')),
    },
    {
      weight: 1,
      arbitrary: fc.constantFrom('', ' ', 'a'.repeat(5_000), 'word '.repeat(1_000), '\n'.repeat(300)),
    },
  )
  .map(sanitiseText);

/** As the parser leaves optional text: never empty. */
const someText = anyText.filter((text) => text !== '');
const finite = fc.double({ noNaN: true, noDefaultInfinity: true });
const color = fc.constantFrom('FF0000', '00AA11', 'FFFFFF', '000000');
const palette = fc.constantFrom(...paletteNames);
const language = fc.constantFrom('en', 'en-US', 'ar', 'zh-Hant-TW', 'ja', 'x-private');
const format = fc.oneof(
  fc
    .constantFrom('text', 'number', 'integer', 'percent', 'date', 'datetime', 'time', 'boolean')
    .map((kind) => ({ kind })),
  fc.constantFrom('EUR', 'JPY', 'XXX').map((currency) => ({ kind: 'currency', currency })),
  fc
    .constantFrom('#,##0.00', 'yyyy-mm-dd', '[Red]0%;;"x"', '@', '0.0E+00')
    .map((code) => ({ kind: 'custom', code })),
);
const align = fc.constantFrom('left', 'center', 'right');
const cell = fc.oneof(
  anyText,
  finite,
  fc.integer(),
  fc.boolean(),
  fc.constant(null),
  fc.constant('2026-02-30'),
);

const column = fc.record(
  { header: someText, align, format, width: fc.double({ min: 1e-9, max: 1e6, noNaN: true }) },
  { requiredKeys: ['header'] },
);

function rowsOf<Cell>(cells: fc.Arbitrary<Cell>, columns: number, maxLength: number): fc.Arbitrary<Cell[][]> {
  return fc.array(fc.array(cells, { minLength: columns, maxLength: columns }), { maxLength });
}

const anyTable = fc
  .array(column, { minLength: 1, maxLength: 12 })
  .chain((columns) =>
    rowsOf(cell, columns.length, 5).map((rows) => ({ columns, rows })),
  ) as fc.Arbitrary<Table>;

const anyChart = fc.array(anyText, { maxLength: 30 }).chain((labels) =>
  fc.record(
    {
      type: fc.constantFrom(...chartTypes),
      title: someText,
      labels: fc.constant(labels),
      datasets: fc.array(
        fc.record(
          {
            label: anyText,
            data: fc.array(fc.option(finite), { maxLength: labels.length }),
            color,
            type: fc.constantFrom('bar', 'line', 'area'),
          },
          { requiredKeys: ['label', 'data'] },
        ),
        { maxLength: 14 },
      ),
      options: fc.record(
        {
          legend: fc.boolean(),
          legendPosition: fc.constantFrom('top', 'right', 'bottom', 'left'),
          dataLabels: fc.boolean(),
          xAxisTitle: someText,
          yAxisTitle: someText,
          secondaryAxisTitle: someText,
          numberFormat: format,
          totals:
            labels.length === 0
              ? fc.constant([])
              : fc.array(fc.nat({ max: labels.length - 1 }), { maxLength: 3 }),
        },
        { requiredKeys: [] },
      ),
    },
    { requiredKeys: ['type', 'labels', 'datasets', 'options'] },
  ),
) as fc.Arbitrary<Chart>;

const metrics = (maxLength: number) =>
  fc.array(fc.record({ label: anyText, value: anyText }), { minLength: 1, maxLength });
const texts = fc.array(anyText, { minLength: 1, maxLength: 5 });
const sectionImage = fc.record(
  {
    asset: fc.constantFrom(...assetNames),
    alt: anyText,
    caption: someText,
    width: fc.double({ min: 0.001, max: 100, noNaN: true }),
  },
  { requiredKeys: ['asset', 'alt'] },
);

const wordSection = fc.record(
  {
    level: fc.constantFrom(1, 2, 3),
    heading: someText,
    text: someText,
    summary: metrics(7),
    bullets: texts,
    numbered: texts,
    table: anyTable,
    chart: anyChart,
    image: sectionImage,
  },
  { requiredKeys: ['level'] },
);

export const anyWordSpec = fc.record(
  {
    title: someText,
    subtitle: someText,
    palette,
    language,
    markdown: fc.boolean(),
    sections: fc.array(wordSection, { maxLength: 8 }),
  },
  { requiredKeys: ['title', 'palette', 'language', 'markdown', 'sections'] },
) as fc.Arbitrary<WordSpec>;

const reportSection = fc.record(
  {
    heading: someText,
    text: someText,
    summary: metrics(5),
    bullets: texts,
    table: anyTable,
    chart: anyChart,
    image: sectionImage,
    callout: fc.record({ label: someText, text: anyText }, { requiredKeys: ['text'] }),
  },
  { requiredKeys: [] },
);

export const anyReportSpec = fc.record(
  {
    title: someText,
    subtitle: someText,
    palette,
    language,
    markdown: fc.boolean(),
    logo: fc.record({ asset: fc.constantFrom(...assetNames), alt: anyText }),
    sections: fc.array(reportSection, { maxLength: 6 }),
  },
  { requiredKeys: ['title', 'palette', 'language', 'markdown', 'sections'] },
) as fc.Arbitrary<ReportSpec>;

const inches = fc.double({ min: -100, max: 100, noNaN: true });
const size = fc.oneof(
  fc.double({ min: 0, max: 100, noNaN: true }),
  fc.double({ min: 0.2, max: 13, noNaN: true }),
  fc.constant(0),
);
const box = { x: inches, y: inches, w: size, h: size };
const textStyle = {
  fontSize: fc.double({ min: 1, max: 400, noNaN: true }),
  bold: fc.boolean(),
  italic: fc.boolean(),
  underline: fc.boolean(),
  color,
  align: fc.constantFrom('left', 'center', 'right', 'justify'),
  valign: fc.constantFrom('top', 'middle', 'bottom'),
  fontFace: someText.map((name) => sanitiseText(name.slice(0, 100))),
};
const always = ['type', 'x', 'y', 'w', 'h', 'bold', 'italic', 'underline'] as const;
const line = {
  color,
  width: fc.double({ min: 0.25, max: 100, noNaN: true }),
  dash: fc.constantFrom('solid', 'dash', 'dot'),
};
const deckCell = fc.record(
  { value: cell, bold: fc.boolean(), color, fill: color, align },
  { requiredKeys: ['value'] },
);
const deckTable = fc.array(column, { minLength: 1, maxLength: 8 }).chain((columns) =>
  fc.record(
    {
      columns: fc.constant(columns),
      rows: rowsOf(deckCell, columns.length, 6),
      header: fc.record({ fill: color, color, bold: fc.boolean() }, { requiredKeys: ['bold'] }),
      fontSize: fc.double({ min: 4, max: 60, noNaN: true }),
    },
    { requiredKeys: ['rows', 'header'] },
  ),
);
const element = fc.oneof(
  fc.record(
    { type: fc.constant('text'), content: anyText, bullet: fc.boolean(), ...box, ...textStyle },
    { requiredKeys: [...always, 'content', 'bullet'] },
  ),
  fc.record(
    {
      type: fc.constant('shape'),
      shape: fc.constantFrom(...shapeNames),
      fill: color,
      line: fc.record(line, { requiredKeys: [] }),
      text: someText,
      ...box,
      ...textStyle,
    },
    { requiredKeys: [...always, 'shape'] },
  ),
  fc.record({
    type: fc.constant('image'),
    image: fc.record({ asset: fc.constantFrom(...assetNames), alt: anyText }),
    sizing: fc.constantFrom('contain', 'cover'),
    ...box,
  }),
  fc.record({ type: fc.constant('table'), table: deckTable, ...box }),
  fc.record({ type: fc.constant('chart'), chart: anyChart, ...box }),
  fc.record(
    {
      type: fc.constant('line'),
      x1: inches,
      y1: inches,
      x2: inches,
      y2: inches,
      beginArrow: fc.boolean(),
      endArrow: fc.boolean(),
      ...line,
    },
    { requiredKeys: ['type', 'x1', 'y1', 'x2', 'y2', 'beginArrow', 'endArrow'] },
  ),
);

export const anyDeckSpec = fc.record(
  {
    title: someText,
    subtitle: someText,
    palette,
    language,
    slides: fc.array(
      fc.record(
        {
          elements: fc.array(element, { maxLength: 5 }),
          background: fc.oneof(
            color.map((each) => ({ color: each })),
            fc.constantFrom(...assetNames).map((asset) => ({ image: { asset, alt: '' } })),
          ),
          notes: someText,
          showPageNumber: fc.boolean(),
        },
        { requiredKeys: ['elements', 'showPageNumber'] },
      ),
      { minLength: 1, maxLength: 5 },
    ),
  },
  { requiredKeys: ['title', 'palette', 'language', 'slides'] },
) as fc.Arbitrary<DeckSpec>;

const ruleStyle = fc.record(
  { color, background: color, bold: fc.boolean(), italic: fc.boolean() },
  { requiredKeys: [] },
);
const operand = fc.oneof(
  finite,
  someText.map((text) => sanitiseText(text.slice(0, 255))),
);

function anyRule(columns: number): fc.Arbitrary<unknown> {
  const target = fc.oneof(
    fc.constantFrom('A1', 'B2:C9', '$A$1:XFD1048576', 'C9:A1').map((ref) => ({ ref })),
    fc.nat({ max: columns - 1 }).map((each) => ({ column: each })),
  );
  const oneValue = ['equal', 'notEqual', 'greaterThan', 'greaterThanOrEqual', 'lessThan', 'lessThanOrEqual'];
  return fc.oneof(
    fc.record({
      target,
      type: fc.constant('cellIs'),
      operator: fc.constantFrom(...oneValue),
      values: fc.tuple(operand),
      style: ruleStyle,
    }),
    fc.record({
      target,
      type: fc.constant('cellIs'),
      operator: fc.constantFrom('between', 'notBetween'),
      values: fc.tuple(operand, operand),
      style: ruleStyle,
    }),
    fc.record({
      target,
      type: fc.constant('containsText'),
      text: someText.map((text) => sanitiseText(text.slice(0, 255))),
      style: ruleStyle,
    }),
    fc.record({
      target,
      type: fc.constantFrom('top', 'bottom'),
      rank: fc.integer({ min: 1, max: 100 }),
      percent: fc.boolean(),
      style: ruleStyle,
    }),
    fc.record({ target, type: fc.constant('aboveAverage'), below: fc.boolean(), style: ruleStyle }),
    fc.record({ target, type: fc.constant('duplicate'), unique: fc.boolean(), style: ruleStyle }),
    fc.record({
      target,
      type: fc.constant('colorScale'),
      colors: fc.array(color, { minLength: 2, maxLength: 3 }),
    }),
    fc.record({ target, type: fc.constant('dataBar'), color }, { requiredKeys: ['target', 'type'] }),
    fc.record({
      target,
      type: fc.constant('iconSet'),
      iconSet: fc.constantFrom(...iconSets),
      reverse: fc.boolean(),
      showValue: fc.boolean(),
    }),
    fc.record({
      target,
      type: fc.constant('expression'),
      formula: fc.constantFrom('A1>1', 'ISNUMBER(A1)', 'LEN("<&>")>2', 'MOD(ROW(),2)=0'),
      style: ruleStyle,
    }),
  );
}

export const anyWorkbookSpec = fc
  .array(
    fc.record(
      { key: someText, header: someText, format, width: fc.double({ min: 1, max: 255, noNaN: true }), align },
      { requiredKeys: ['key', 'header'] },
    ),
    { minLength: 1, maxLength: 10 },
  )
  .chain((columns) =>
    fc.record(
      {
        title: someText,
        columns: fc.constant(columns),
        rows: rowsOf(cell, columns.length, 8),
        styles: fc.record(
          {
            headerBg: color,
            headerColor: color,
            altRowBg: color,
            accentColor: color,
            fontSize: fc.double({ min: 6, max: 36, noNaN: true }),
          },
          { requiredKeys: [] },
        ),
        totals: fc.array(
          fc.record(
            {
              type: fc.constantFrom(...formulaTypes),
              columns: fc
                .uniqueArray(fc.nat({ max: columns.length - 1 }), { minLength: 1 })
                .map((indices) => indices.sort((a, b) => a - b)),
              label: someText,
            },
            { requiredKeys: ['type', 'columns'] },
          ),
          { maxLength: 3 },
        ),
        conditionalRules: fc.array(anyRule(columns.length), { maxLength: 4 }),
        freezePanes: fc.record({ row: fc.boolean(), column: fc.boolean() }),
        chartType: fc.constantFrom(...chartTypes),
        logo: fc.record({ asset: fc.constantFrom(...assetNames), alt: anyText }),
      },
      { requiredKeys: ['columns', 'rows', 'styles', 'totals', 'conditionalRules', 'freezePanes'] },
    ),
  ) as fc.Arbitrary<WorkbookSpec>;
