import { create, type Font } from 'fontkit';
import { describe, expect, test } from 'vitest';
import { readCff } from '../../../src/documents/fonts/cff-reader.ts';
import { fontFace } from '../../../src/documents/fonts/font-face.ts';
import { subsetCff } from '../../../src/documents/fonts/subset-cff.ts';
import { subsetTrueType } from '../../../src/documents/fonts/subset-truetype.ts';
import { readTables, tableOf } from '../../../src/documents/fonts/truetype-tables.ts';

function glyphs(face: ReturnType<typeof fontFace>, text: string): number[] {
  return [0, ...Array.from(text, (character) => face.glyphOf(character.codePointAt(0) ?? 0))];
}

describe('TrueType', () => {
  const face = fontFace('sans', 'regular');
  const open = (bytes: Uint8Array) => create(Buffer.from(bytes)) as Font;

  test('keeps outlines and advances in the order of the list', () => {
    const chosen = glyphs(face, 'Aé½Ω');
    const subset = open(subsetTrueType(face.file, chosen));
    chosen.forEach((glyph, index) => {
      expect(subset.getGlyph(index).path.toSVG()).toBe(face.font.getGlyph(glyph).path.toSVG());
      expect(subset.getGlyph(index).advanceWidth).toBe(face.font.getGlyph(glyph).advanceWidth);
    });
  });

  test('a glyph may stand twice', () => {
    const [, a = 0] = glyphs(face, 'A');
    const subset = open(subsetTrueType(face.file, [0, a, a]));
    expect(subset.getGlyph(2).path.toSVG()).toBe(face.font.getGlyph(a).path.toSVG());
  });

  test('a composite stands where its parts were placed', () => {
    const [, a = 0, b = 0] = glyphs(face, 'AB');
    const parts = [
      { glyph: a, x: 0, y: 0 },
      { glyph: b, x: 700, y: 50 },
    ];
    const subset = open(subsetTrueType(face.file, [0, { key: 'ab', parts, advance: 1234 }]));
    const [left, right] = [face.font.getGlyph(a).bbox, face.font.getGlyph(b).bbox];
    expect(subset.getGlyph(1).advanceWidth).toBe(1234);
    expect(subset.getGlyph(1).bbox).toMatchObject({
      minX: left.minX,
      maxX: right.maxX + 700,
      maxY: right.maxY + 50,
    });
  });

  test('is a small part of the font', () => {
    expect(subsetTrueType(face.file, glyphs(face, 'Hello')).length).toBeLessThan(face.file.length / 20);
  });
});

describe('CFF', () => {
  test.for(['sc', 'jp', 'kr'] as const)('%s keeps the charstrings and what they call', (family) => {
    const face = fontFace(family, 'bold');
    const chosen = glyphs(face, '、月別文中');
    const full = readCff(tableOf(readTables(face.file), 'CFF '));
    const subset = readCff(Buffer.from(subsetCff(face.file, chosen)));
    expect(subset.charStrings.count).toBe(chosen.length);
    chosen.forEach((glyph, index) => {
      expect(subset.charStrings.get(index).equals(full.charStrings.get(glyph))).toBe(true);
      const local = subset.privates[subset.fdOf(index)];
      expect(local?.entries.equals(full.privates[full.fdOf(glyph)]?.entries ?? Buffer.alloc(0))).toBe(true);
      const subrs = local?.subrs;
      for (let at = 0; at < (subrs?.count ?? 0); at++) {
        const kept = subrs?.get(at);
        if (kept === undefined || kept.length === 0) continue;
        expect(kept.equals(full.privates[full.fdOf(glyph)]?.subrs?.get(at) ?? Buffer.alloc(0))).toBe(true);
      }
    });
  });
});
