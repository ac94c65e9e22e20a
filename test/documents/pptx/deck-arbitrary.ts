import fc from 'fast-check';
import { type ColumnFormat, chartTypes, paletteNames } from '../../../src/domain/documents/common.ts';
import {
  type Box,
  type DeckSpec,
  type DeckTable,
  type SlideElement,
  shapeNames,
} from '../../../src/domain/documents/deck-spec.ts';
import { sanitiseText } from '../../../src/domain/documents/sanitise-text.ts';

const letters = fc.oneof(
  { weight: 6, arbitrary: fc.string({ maxLength: 60 }) },
  { weight: 2, arbitrary: fc.string({ unit: 'binary', maxLength: 40 }) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      '',
      ' ',
      '\n\n',
      '<&>"\'',
      ']]>',
      'שלום\nabc',
      '你好'.repeat(90),
      'x'.repeat(900),
    ),
  },
);
/** What the sanitiser lets through. */
const words = letters.map(sanitiseText);
const color = fc
  .integer({ min: 0, max: 0xffffff })
  .map((value) => value.toString(16).toUpperCase().padStart(6, '0'));
const number = fc.oneof(
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.constantFrom(0, -0, 1e300, 1e-300),
);
const inches = fc.oneof(
  { weight: 5, arbitrary: fc.integer({ min: 0, max: 1_300 }).map((hundredths) => hundredths / 100) },
  { weight: 1, arbitrary: fc.constantFrom(0, -1, -100, 100, 1e-9, 13.333, 7.5, 0.01) },
);
const box: fc.Arbitrary<Box> = fc.record({ x: inches, y: inches, w: inches, h: inches });
const optional = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });

/** Leaves out what is undefined, as a parsed spec does. */
function present<T>(record: object): T {
  return Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined)) as T;
}

const style = fc.record({
  fontSize: optional(
    fc.oneof(fc.integer({ min: 1, max: 100 }), fc.constantFrom(0, -5, 1e9, 0.001, Number.NaN)),
  ),
  bold: fc.boolean(),
  italic: fc.boolean(),
  underline: fc.boolean(),
  color: optional(color),
  align: optional(fc.constantFrom('left', 'center', 'right', 'justify')),
  valign: optional(fc.constantFrom('top', 'middle', 'bottom')),
  fontFace: optional(fc.oneof(fc.constantFrom('Georgia', 'Courier New'), words)),
});

const line = fc.record({
  color: optional(color),
  width: optional(fc.constantFrom(0, 1, 2.5, -3, 1e9, Number.NaN)),
  dash: optional(fc.constantFrom('solid', 'dash', 'dot')),
});

const format: fc.Arbitrary<ColumnFormat> = fc.oneof(
  fc.record({
    kind: fc.constantFrom('text', 'number', 'integer', 'percent', 'date', 'datetime', 'time', 'boolean'),
  }),
  fc.record({ kind: fc.constant('currency'), currency: fc.constantFrom('EUR', 'JPY', 'XXX', '??') }),
  fc.record({ kind: fc.constant('custom'), code: fc.constantFrom('0.00', '#,##0;[Red]-#,##0', '"') }),
) as fc.Arbitrary<ColumnFormat>;

const value = fc.oneof(words, number, fc.boolean(), fc.constant(null));
const align = optional(fc.constantFrom('left', 'center', 'right'));

const table: fc.Arbitrary<DeckTable> = fc
  .tuple(fc.integer({ min: 1, max: 6 }), fc.integer({ min: 0, max: 40 }), fc.boolean())
  .chain(([columnCount, rowCount, hasColumns]) => {
    const cell = fc
      .record({ value, bold: optional(fc.boolean()), color: optional(color), fill: optional(color), align })
      .map((record) => present<DeckTable['rows'][number][number]>(record));
    const column = fc
      .record({
        header: words,
        align,
        format: optional(format),
        width: optional(fc.constantFrom(0, 1, 3, -1, 40)),
      })
      .map((record) => present<NonNullable<DeckTable['columns']>[number]>(record));
    return fc
      .record({
        columns: hasColumns
          ? fc.array(column, { minLength: columnCount, maxLength: columnCount })
          : fc.constant(undefined),
        rows: fc.array(fc.array(cell, { minLength: columnCount, maxLength: columnCount }), {
          maxLength: rowCount,
        }),
        header: fc
          .record({ fill: optional(color), color: optional(color), bold: fc.boolean() })
          .map((record) => present<DeckTable['header']>(record)),
        fontSize: optional(fc.constantFrom(6, 12, 40, 0, Number.NaN)),
      })
      .map((record) => present<DeckTable>(record));
  });

const chart = fc.array(words, { maxLength: 12 }).chain((labels) =>
  fc.record({
    type: fc.constantFrom(...chartTypes),
    title: optional(words),
    labels: fc.constant(labels),
    datasets: fc.array(
      fc
        .record({
          label: words,
          data: fc.array(fc.option(number, { nil: null }), { maxLength: labels.length }),
          color: optional(color),
          type: optional(fc.constantFrom('bar', 'line', 'area')),
        })
        .map(present),
      { maxLength: 5 },
    ),
    options: fc
      .record({
        legend: optional(fc.boolean()),
        legendPosition: optional(fc.constantFrom('top', 'right', 'bottom', 'left')),
        dataLabels: optional(fc.boolean()),
        xAxisTitle: optional(words),
        yAxisTitle: optional(words),
        secondaryAxisTitle: optional(words),
        numberFormat: optional(format),
      })
      .map(present),
  }),
);

const image = fc.record({ asset: fc.constantFrom('wide', 'tall'), alt: words });

const element = fc.oneof(
  fc.record({ content: words, bullet: fc.boolean(), box, style }).map(({ content, bullet, ...rest }) => ({
    type: 'text',
    content,
    bullet,
    ...rest.box,
    ...rest.style,
  })),
  fc
    .record({
      shape: fc.constantFrom(...shapeNames),
      fill: optional(color),
      line: optional(line.map(present)),
      text: optional(words),
      box,
      style,
    })
    .map(({ box, style, ...rest }) => ({ type: 'shape', ...rest, ...box, ...style })),
  fc
    .record({ image, sizing: fc.constantFrom('contain', 'cover'), box })
    .map(({ box, ...rest }) => ({ type: 'image', ...rest, ...box })),
  fc.record({ table, box }).map(({ table, box }) => ({ type: 'table', table, ...box })),
  fc.record({ chart: chart.map(present), box }).map(({ chart, box }) => ({ type: 'chart', chart, ...box })),
  fc
    .record({
      x1: inches,
      y1: inches,
      x2: inches,
      y2: inches,
      beginArrow: fc.boolean(),
      endArrow: fc.boolean(),
      line,
    })
    .map(({ line, ...rest }) => ({ type: 'line', ...rest, ...line })),
);

const slide = fc
  .record({
    elements: fc.array(
      element.map((record) => present<SlideElement>(record)),
      { maxLength: 8 },
    ),
    background: optional(fc.oneof(fc.record({ color }), fc.record({ image }))),
    notes: optional(words),
    showPageNumber: fc.boolean(),
  })
  .map((record) => present<DeckSpec['slides'][number]>(record));

/** Decks of every shape that a parsed spec can have, and of some that it should not. */
export const deckArbitrary: fc.Arbitrary<DeckSpec> = fc
  .record({
    title: words,
    subtitle: optional(words),
    palette: fc.constantFrom(...paletteNames),
    language: fc.constantFrom('en-US', 'pl', 'he-IL', 'zh-Hans'),
    slides: fc.array(slide, { minLength: 1, maxLength: 4 }),
  })
  .map((record) => present<DeckSpec>(record));
