import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cjkOrderOf } from '../../../src/documents/fonts/script.ts';
import { createTypesetter, measurePlain } from '../../../src/documents/fonts/typesetter.ts';

const look = { bold: false, italic: false, mono: false };
const open = (language = 'en') => createTypesetter(cjkOrderOf(language, ''));

function widthOf(runs: readonly { readonly width: number }[]): number {
  return runs.reduce((sum, run) => sum + run.width, 0);
}

describe('measuring', () => {
  test.for([
    ['any text', fc.string({ unit: 'binary' })],
    ['graphemes', fc.string({ unit: 'grapheme' })],
    ['letters', fc.string({ unit: fc.constantFrom(...'AVTo. ąłЖΩ-') })],
  ] as const)('%s is as wide as its runs', ([, arbitrary]) => {
    fc.assert(
      fc.property(arbitrary, (text) => {
        const typesetter = open();
        expect(typesetter.measure(text, look)).toBeCloseTo(widthOf(typesetter.shape(text, look)), 3);
      }),
    );
  });

  test('the way for plain text gives what the other way gives', () => {
    const text = 'Wavy AVATAR, To. Łódź';
    const [run] = open().shape(text, look);
    expect(measurePlain(text, look)).toBeCloseTo(run?.width ?? 0, 6);
    expect(run?.texts.join('')).toBe(text);
    expect(measurePlain('中', look)).toBeUndefined();
    expect(measurePlain('שלום', look)).toBeUndefined();
  });
});

describe('faces', () => {
  test.for([
    ['a', 'sans-regular'],
    ['→', 'math-regular'],
    ['★', 'math-regular'],
    ['☎', 'symbols-regular'],
    ['中', 'sc-regular'],
    ['あ', 'sc-regular'],
    ['한', 'kr-regular'],
    ['😀', 'emoji-regular'],
    ['م', 'arabic-regular'],
    ['ש', 'hebrew-regular'],
    ['\ua8f2', 'devanagari-regular'],
    ['ก', 'thai-regular'],
    ['Ա', 'armenian-regular'],
    ['ა', 'georgian-regular'],
    ['አ', 'ethiopic-regular'],
    ['অ', 'bengali-regular'],
    ['அ', 'tamil-regular'],
    ['అ', 'telugu-regular'],
    ['અ', 'gujarati-regular'],
    ['ਅ', 'gurmukhi-regular'],
    ['ಅ', 'kannada-regular'],
    ['അ', 'malayalam-regular'],
  ] as const)('%s is set in %s', ([text, face]) => {
    expect(open().shape(text, look)[0]?.face.id).toBe(face);
  });

  test('ideographs follow the language, and the text where it says nothing', () => {
    expect(open('ja').shape('中', look)[0]?.face.id).toBe('jp-regular');
    expect(open('ko').shape('中', look)[0]?.face.id).toBe('kr-regular');
    expect(cjkOrderOf('en', 'ひらがな')[0]).toBe('jp');
    expect(cjkOrderOf('en', '한국')[0]).toBe('kr');
  });

  test('a mark stays with its letter', () => {
    const runs = open().shape('שָׁ', look, true);
    expect(runs.length).toBe(1);
  });
});

describe('what is missing', () => {
  test('is a box that keeps its text, and is remembered', () => {
    const typesetter = open();
    const [run] = typesetter.shape('a𒀀', look);
    expect(run?.glyphs.at(-1)).toBe(0);
    expect(run?.texts).toEqual(['a', '𒀀']);
    expect([...typesetter.missing]).toEqual([0x12000]);
  });

  test('signs without a shape are not missing', () => {
    const typesetter = open();
    typesetter.shape('a\u200b\u2060\ufeffb', look);
    expect(typesetter.missing.size).toBe(0);
  });
});

test('too many different syllables are set letter by letter, and it is said', () => {
  const typesetter = open();
  const consonants = Array.from({ length: 33 }, (_, index) => String.fromCharCode(0x0915 + index));
  for (const a of consonants) {
    for (const b of consonants) {
      typesetter.shape(
        consonants
          .slice(0, 8)
          .map((c) => `${a}्${b}्${c}`)
          .join(''),
        look,
      );
    }
  }
  expect(typesetter.isBeyondShaping).toBe(true);
});
