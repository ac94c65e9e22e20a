import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cjkOrderOf } from '../../../src/documents/fonts/script.ts';
import { createTypesetter } from '../../../src/documents/fonts/typesetter.ts';
import { bold, plainSpans, regular } from '../../../src/documents/pdf/rich-text.ts';
import { fitText, layOutText } from '../../../src/documents/pdf/text-layout.ts';

const typesetter = createTypesetter(cjkOrderOf('en', ''));
const textOf = (line: { readonly pieces: readonly { readonly text: string }[] }) =>
  line.pieces.map((piece) => piece.text).join('');

describe('lines', () => {
  test('are no wider than asked, and hold the whole text', () => {
    const text = fc.string({ unit: fc.constantFrom(...'abc WMi-ąЖ中。'), maxLength: 200 });
    fc.assert(
      fc.property(text, fc.integer({ min: 20, max: 300 }), (sample, width) => {
        const lines = layOutText(plainSpans(sample), width, 10, typesetter);
        for (const line of lines) expect(line.width).toBeLessThanOrEqual(width + 0.01);
        expect(lines.map(textOf).join('').replaceAll(' ', '')).toBe(sample.replaceAll(' ', ''));
      }),
    );
  });

  test('a word wider than a line breaks between its letters', () => {
    const lines = layOutText(plainSpans('x'.repeat(100)), 60, 10, typesetter);
    expect(lines.length).toBeGreaterThan(5);
    expect(lines.map(textOf).join('')).toBe('x'.repeat(100));
  });

  test('a line has a letter at least, however narrow it is', () => {
    expect(layOutText(plainSpans('abc'), 1, 10, typesetter).map(textOf)).toEqual(['a', 'b', 'c']);
  });

  test('a long word begins on a line of its own', () => {
    const lines = layOutText(plainSpans('ab xxxxxxxxxxxxxxxxxxxx'), 60, 10, typesetter);
    expect(lines.map(textOf)[0]).toBe('ab');
  });

  test('spans keep their looks over a break', () => {
    const lines = layOutText(
      [
        { ...regular, text: 'plain ' },
        { ...bold, text: 'strong words that go on for more than a line' },
      ],
      80,
      10,
      typesetter,
    );
    expect(lines[0]?.pieces.map(({ span }) => span.bold)).toEqual([false, true]);
    expect(lines.at(-1)?.pieces.map(({ span }) => span.bold)).toEqual([true]);
  });

  test('a paragraph that begins from right to left stands at the right', () => {
    const [line] = layOutText(plainSpans('שלום abc'), 200, 10, typesetter);
    expect(line?.isRightToLeft).toBe(true);
    expect(line?.pieces.map(({ text }) => text)).toEqual(['abc', 'שלום ']);
  });
});

describe('fitting', () => {
  test('a text that fits stays whole', () => {
    const { line, isCut } = fitText({ ...regular, text: 'short' }, 100, 10, typesetter);
    expect([textOf(line), isCut]).toEqual(['short', false]);
  });

  test('a longer one ends with an ellipsis within the width', () => {
    const { line, isCut } = fitText({ ...regular, text: 'a long text '.repeat(100) }, 100, 10, typesetter);
    expect(isCut).toBe(true);
    expect(textOf(line)).toMatch(/…$/);
    expect(line.width).toBeLessThanOrEqual(100);
  });
});
