import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { textFromAdf } from '../../../src/tools/text/from-adf.ts';
import { textFromHtml } from '../../../src/tools/text/from-html.ts';
import { toAdf } from '../../../src/tools/text/to-adf.ts';
import { toStorageFormat } from '../../../src/tools/text/to-storage-format.ts';

const text = (value: string) => ({ type: 'text', text: value });
const paragraph = (...content: readonly object[]) => ({ type: 'paragraph', content });

describe('text of ADF', () => {
  test.for([
    [paragraph(text('a'), { type: 'hardBreak' }, text('b')), 'a\nb'],
    [{ type: 'codeBlock', content: [text('x = 1')] }, 'x = 1'],
    [
      paragraph({ type: 'mention', attrs: { text: '@Ada' } }, { type: 'emoji', attrs: { shortName: ':x:' } }),
      '@Ada:x:',
    ],
    [paragraph({ type: 'date', attrs: { timestamp: '1777593600000' } }), '2026-05-01'],
    [
      paragraph({ type: 'date', attrs: { timestamp: 'x' } }, { type: 'status', attrs: { text: 'DONE' } }),
      'DONE',
    ],
    [paragraph({ type: 'inlineCard', attrs: { url: 'https://x.example/1' } }), 'https://x.example/1'],
    [
      {
        type: 'table',
        content: [
          {
            type: 'tableRow',
            content: [
              { type: 'tableHeader', content: [paragraph(text('a'))] },
              { type: 'tableCell', content: [paragraph(text('b'))] },
            ],
          },
        ],
      },
      'a | b |',
    ],
    [{ type: 'panel', content: [{ type: 'unheardOf', content: [text('inside')] }] }, 'inside'],
    [null, ''],
    ['text', ''],
    [{ type: 'text', text: 5 }, '5'],
  ] as const)('%j is %j', ([node, shown]) => {
    expect(textFromAdf({ type: 'doc', version: 1, content: [node] }, 1_000)).toBe(shown);
  });

  test('is cut', () => {
    const node = paragraph(text('abc'));
    expect(
      textFromAdf({ content: Array.from({ length: 10_000 }, () => node) }, 10).length,
    ).toBeLessThanOrEqual(10);
  });
});

describe('written text', () => {
  const sample =
    '# Why <b>\n\nfirst & second\nline [~ada] {macro} @all\n\n- one\n- two\n1. three\n\n```\n<x>\n```';

  test('reads the same after it was stored', () => {
    const shown = 'Why <b>\nfirst & second\nline [~ada] {macro} @all\n- one\n- two\n- three\n<x>';
    expect(textFromAdf(toAdf(sample), 1_000)).toBe(shown);
    expect(textFromHtml(toStorageFormat(sample), 1_000)).toBe(shown);
  });

  test('makes no element but those of its own marks', () => {
    fc.assert(
      fc.property(
        fc.string({
          unit: fc.constantFrom('<', '>', '&', '"', "'", 'a', ':', '/', '\n', '#', ' ', '-', '`', ']'),
        }),
        (value) => {
          const tags = toStorageFormat(value).match(/<[^>]*>/g) ?? [];
          expect(tags.filter((tag) => !/^<(?:\/?(?:h[1-6]|p|ul|ol|li|pre)|br\/)>$/.test(tag))).toEqual([]);
        },
      ),
    );
  });
});
