import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sanitiseText } from '../../../src/domain/documents/sanitise-text.ts';

test.for([
  ['control characters go', 'a\0b\x01c\x08d\x0be\x0cf\x0eg\x1fh', 'abcdefgh'],
  ['tabs and newlines stay', 'a\tb\nc', 'a\tb\nc'],
  ['every line break is a newline', 'a\r\nb\rc\n\rd', 'a\nb\nc\n\nd'],
  ['noncharacters that XML forbids go', 'a\ufffeb\uffffc', 'abc'],
  ['a high surrogate alone becomes a replacement character', 'a\ud83db', 'a\ufffdb'],
  ['a low surrogate alone becomes a replacement character', '\ude00', '\ufffd'],
  ['two halves that a removed character parted do not join', '\ud83d\0\ude00', '\ufffd\ufffd'],
  [
    'pairs, letters of any script and legal controls stay',
    '😀 ąЖعא漢 \x7f\x85\u2028\ufffd',
    '😀 ąЖعא漢 \x7f\x85\u2028\ufffd',
  ],
  ['empty text stays empty', '', ''],
] as const)('%s', ([, text, expected]) => {
  expect(sanitiseText(text)).toBe(expected);
});

const anyText = fc.string({
  unit: fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code)),
});
const nastyText = fc.string({
  unit: fc.constantFrom(
    '\0',
    '\t',
    '\n',
    '\r',
    '\x1f',
    'a',
    '\ud83d',
    '\ude00',
    '\ufffe',
    '\uffff',
    '\ufffd',
    '😀',
  ),
});

/** The Char production of XML 1.0, section 2.2, without the carriage return. */
const xmlText = /^[\t\n\x20-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]*$/u;

test('what comes out is well-formed and made of legal XML characters', () => {
  fc.assert(
    fc.property(fc.oneof(anyText, nastyText), (text) => {
      const safe = sanitiseText(text);
      expect(safe.isWellFormed()).toBe(true);
      expect(safe).toMatch(xmlText);
    }),
  );
});

test('safe text comes back unchanged, so that sanitising twice is sanitising once', () => {
  fc.assert(
    fc.property(fc.oneof(anyText, nastyText), (text) => {
      const safe = sanitiseText(text);
      expect(sanitiseText(safe)).toBe(safe);
      if (text.isWellFormed() && xmlText.test(text)) expect(safe).toBe(text);
    }),
  );
});

test('characters that are legal everywhere keep their order and number', () => {
  const legal = (text: string) => [...text].filter((character) => /[a-z😀]/u.test(character)).join('');
  fc.assert(
    fc.property(nastyText, (text) => {
      expect(legal(sanitiseText(text))).toBe(legal(text));
    }),
  );
});
