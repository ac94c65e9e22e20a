import fc from 'fast-check';
import { expect, test } from 'vitest';
import { lineBreaks } from '../../../src/documents/fonts/line-breaks.ts';

function pieces(text: string): string[] {
  let start = 0;
  return lineBreaks(text).map((end) => {
    const piece = text.slice(start, end);
    start = end;
    return piece;
  });
}

test.for([
  ['words end with their spaces', 'one  two three', ['one  ', 'two ', 'three']],
  ['hyphens and slashes between letters', 'well-known and/or', ['well-', 'known ', 'and/', 'or']],
  ['signs and numbers stay whole', '-5 1/2 2026-03-05 a-1', ['-5 ', '1/2 ', '2026-03-05 ', 'a-1']],
  ['Cyrillic like Latin', 'северо-восток да', ['северо-', 'восток ', 'да']],
  ['ideographs break anywhere but before a full stop', '中文测。', ['中', '文', '测。']],
  ['Thai breaks between words', 'ภาษาไทย', ['ภาษา', 'ไทย']],
  ['a no-break space holds', 'a\u00a0b c', ['a\u00a0b ', 'c']],
] as const)('%s', ([, text, expected]) => {
  expect(pieces(text)).toEqual(expected);
});

test('the pieces of any text are the text', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(pieces(text).join('')).toBe(text);
      expect(pieces(text).filter((piece) => piece === '').length).toBe(text === '' ? 1 : 0);
    }),
  );
});
