import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { directedText, isRightToLeft } from '../../../src/documents/docx/direction.ts';

describe('isRightToLeft', () => {
  test.for<[string, boolean]>([
    ['', false],
    ['123 !?', false],
    ['abc שלום', false],
    ['שלום abc', true],
    ['12. (שלום)', true],
    ['«العربية»', true],
    ['٣٤٥', false],
    ['٣٤٥ ريال', true],
    ['日本 שלום', false],
    ['😀 שלום', true],
    ['𞤀𞤁', true],
  ])('%j: %s', ([text, expected]) => {
    expect(isRightToLeft(text)).toBe(expected);
  });
});

describe('directedText', () => {
  const cut = (text: string) =>
    directedText(text, isRightToLeft(text)).map((piece) => `${piece.rightToLeft ? '<' : '>'}${piece.text}`);

  test.for<[string, string[]]>([
    ['', []],
    ['abc', ['>abc']],
    ['abc שלום עולם def', ['>abc ', '<שלום עולם', '> def']],
    ['abc שלום.', ['>abc ', '<שלום', '>.']],
    ['שלום (abc def 12) עולם', ['<שלום (', '>abc def 12', '<) עולם']],
    ['שלום 12.5', ['<שלום 12.5']],
    ['a א b ב', ['>a ', '<א', '> b ', '<ב']],
  ])('cuts %j', ([text, expected]) => {
    expect(text === '' ? directedText('', true) : cut(text)).toEqual(expected);
  });

  test('loses nothing and makes no empty piece', () => {
    const text = fc
      .array(fc.constantFrom('a', 'é', 'א', 'ع', '1', '٣', ' ', '.', '(', '😀', '\u0301', '\ud83a\udd00'))
      .map((pieces) => pieces.join(''));
    fc.assert(
      fc.property(text, fc.boolean(), (source, rightToLeft) => {
        const pieces = directedText(source, rightToLeft);
        expect(pieces.map((piece) => piece.text).join('')).toBe(source);
        expect(source === '' || pieces.every((piece) => piece.text !== '')).toBe(true);
      }),
    );
  });

  test('stays linear for text that changes direction at every character', () => {
    expect(directedText('אa'.repeat(100_000), true)).toHaveLength(200_000);
  });
});
