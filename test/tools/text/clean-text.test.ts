import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cleanText, oneLine } from '../../../src/tools/text/clean-text.ts';

describe('clean text', () => {
  test.for([
    ['a\u0000b\u001b[31mc\u007f', 'ab[31mc'],
    ['a\r\nb\rc\td', 'a\nb\nc\td'],
    ['a\u202eb\u2066c\u2069\u200fd', 'abcd'],
    ['a\u200bb\ufeffc\u2060d', 'abcd'],
    ['a\u2028b\u2029c\u0085d', 'abcd'],
    ['hidden \u{e0041}\u{e0042}', 'hidden '],
    ['\ud800x', '\ufffdx'],
    ['👩‍👩‍👧 می‌خواهم क्‍ष', '👩‍👩‍👧 می‌خواهم क्‍ष'],
  ])('of %j is %j', ([text, clean]) => {
    expect(cleanText(text as string)).toBe(clean);
  });

  test('is clean already', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(cleanText(cleanText(text))).toBe(cleanText(text));
      }),
    );
  });
});

describe('one line', () => {
  test('folds white space, and shows where it was cut', () => {
    expect(oneLine(' a\n\tb  c ', 10)).toBe('a b c');
    expect(oneLine('abcdef', 6)).toBe('abcdef');
    expect(oneLine('abcdefg', 6)).toBe('abcde…');
    expect(oneLine('ab😀x', 4)).toBe('ab\ufffd…');
  });

  test('has no line break and at most so many characters', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.integer({ min: 1, max: 50 }), (text, charsMax) => {
        const line = oneLine(text, charsMax);
        expect(line.length).toBeLessThanOrEqual(charsMax);
        expect(line).not.toMatch(/[\n\r\u2028\u2029]/);
      }),
    );
  });
});
