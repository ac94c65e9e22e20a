import fc from 'fast-check';
import { chartTypes, paletteNames } from '../../../src/domain/documents/common.ts';
import { sanitiseText } from '../../../src/domain/documents/sanitise-text.ts';
import type { WordSpec } from '../../../src/domain/documents/word-spec.ts';

/** Text as a parsed spec may carry it: any characters, markup of every kind, several scripts. */
export const anyText: fc.Arbitrary<string> = fc
  .oneof(
    { weight: 4, arbitrary: fc.string({ unit: 'grapheme', maxLength: 40 }) },
    { weight: 2, arbitrary: fc.string({ unit: 'binary', maxLength: 40 }) },
    {
      weight: 4,
      arbitrary: fc
        .array(
          fc.constantFrom(
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
            '\u200f',
            'שלום',
            'عربي',
            '漢字',
            'हिन्दी',
            '😀',
            '{bullets-0}',
            '_x000D_',
            '=1+1',
            'splice',
            'x-language',
            ' ',
            'word',
            '12.5',
          ),
          { maxLength: 12 },
        )
        .map((pieces) => pieces.join('')),
    },
    {
      weight: 1,
      arbitrary: fc.constantFrom('', ' ', 'a'.repeat(5_000), 'word '.repeat(1_000), '\n'.repeat(300)),
    },
  )
  .map(sanitiseText);

const format = fc.oneof(
  fc
    .constantFrom('text', 'number', 'integer', 'percent', 'date', 'datetime', 'time', 'boolean')
    .map((kind) => ({ kind })),
  fc.constantFrom('EUR', 'JPY', 'XXX').map((currency) => ({ kind: 'currency', currency })),
  fc
    .constantFrom('#,##0.00', 'yyyy-mm-dd', '[Red]0%;;"x"', '@', '')
    .map((code) => ({ kind: 'custom', code })),
);
const finite = fc.double({ noNaN: true, noDefaultInfinity: true });
const cell = fc.oneof(anyText, finite, fc.integer(), fc.boolean(), fc.constant(null));
const column = fc.record(
  {
    header: anyText,
    align: fc.constantFrom('left', 'center', 'right'),
    format,
    width: fc.double({ min: 1e-9, max: 1e9, noNaN: true }),
  },
  { requiredKeys: ['header'] },
);
const table = fc
  .array(column, { minLength: 1, maxLength: 12 })
  .chain((columns) =>
    fc
      .array(fc.array(cell, { minLength: columns.length, maxLength: columns.length }), { maxLength: 4 })
      .map((rows) => ({ columns, rows })),
  );
const chart = fc.array(anyText, { maxLength: 30 }).chain((labels) =>
  fc.record(
    {
      type: fc.constantFrom(...chartTypes),
      title: anyText,
      labels: fc.constant(labels),
      datasets: fc.array(
        fc.record(
          {
            label: anyText,
            data: fc.array(fc.option(finite), { maxLength: labels.length }),
            color: fc.constantFrom('FF0000', '00AA11'),
          },
          { requiredKeys: ['label', 'data'] },
        ),
        { maxLength: 14 },
      ),
      options: fc.record({ numberFormat: format }, { requiredKeys: [] }),
    },
    { requiredKeys: ['type', 'labels', 'datasets', 'options'] },
  ),
);
const section = fc.record(
  {
    level: fc.constantFrom(1, 2, 3),
    heading: anyText,
    text: anyText,
    summary: fc.array(fc.record({ label: anyText, value: anyText }), { maxLength: 7 }),
    bullets: fc.array(anyText, { maxLength: 5 }),
    numbered: fc.array(anyText, { maxLength: 5 }),
    table,
    chart,
    image: fc.record(
      {
        asset: fc.constantFrom('wide', 'tall'),
        alt: anyText,
        caption: anyText,
        width: fc.double({ min: 0.01, max: 50, noNaN: true }),
      },
      { requiredKeys: ['asset', 'alt'] },
    ),
  },
  { requiredKeys: ['level'] },
);

/** Any spec that the parser may hand to the engine. */
export const anyWordSpec: fc.Arbitrary<WordSpec> = fc.record(
  {
    title: anyText,
    subtitle: anyText,
    palette: fc.constantFrom(...paletteNames),
    language: fc.constantFrom('en', 'en-US', 'ar', 'zh-Hant-TW', 'x-private'),
    markdown: fc.boolean(),
    sections: fc.array(section, { maxLength: 8 }),
  },
  { requiredKeys: ['title', 'palette', 'language', 'markdown', 'sections'] },
) as fc.Arbitrary<WordSpec>;
