import { expect, test } from 'vitest';
import { fontFace } from '../../../src/documents/fonts/font-face.ts';
import { createDocumentFonts } from '../../../src/documents/pdf/document-font.ts';
import { PdfDocument } from '../../../src/documents/pdf/pdf-document.ts';

function openFont() {
  const document = new PdfDocument({ title: 't', language: 'en', createdAt: new Date(0) });
  return createDocumentFonts(document)(fontFace('sans', 'regular'));
}

/** The bytes of a literal string (ISO 32000-1, 7.3.4.2). */
function bytesOf(literal: string): string {
  return literal.replace(/\\(.)/g, (_, sign: string) => (sign === 'r' ? '\r' : sign));
}

test('one glyph has a code for each text that it stands for, the same each time', () => {
  const font = openFont();
  const codes = [
    font.codeOf(36, 'A'),
    font.codeOf(36, 'Α'),
    font.codeOf(37, 'A'),
    font.codeOf(36, 'AB'),
    font.codeOf(36, '𐊠'),
  ];
  expect(new Set(codes).size).toBe(codes.length);
  expect(font.codeOf(36, 'A')).toBe(codes[0]);
  expect(font.codeOf(37, 'A')).toBe(codes[2]);
  expect(font.codeOf(36, '𐊠')).toBe(codes[4]);
});

test('a font that is full keeps its codes within two bytes and shows what it has', () => {
  const font = openFont();
  const letter = font.codeOf(36, 'A');
  for (let codePoint = 0x10000; codePoint < 0x20000; codePoint++) {
    const code = bytesOf(font.codeOf(0, String.fromCodePoint(codePoint)));
    if (code.length !== 2 || code.charCodeAt(0) > 0xff) throw new Error(`${codePoint} has the code ${code}`);
  }
  expect(font.codeOf(36, 'A')).toBe(letter);
  expect(font.codeOf(37, 'new')).toBe(font.codeOf(37, 'newer'));
  expect(font.codeOf(37, 'new')).not.toBe(font.codeOf(38, 'new'));
});
