import { readFileSync } from 'node:fs';
import { create, type Font } from 'fontkit';
import { readCharacterMap } from './character-map.ts';
import { type FontFamily, type FontStyle, fontFile } from './font-files.ts';
import { openShaping, type Shape } from './shaping-engine.ts';
import { readTables, type Tables, tableOf } from './truetype-tables.ts';

/** Several glyphs as one: a syllable or a letter with its marks, as the shaping engine laid them. */
export interface CompositeGlyph {
  /** The same for the same glyph, different for every other one of its face. */
  readonly key: string;
  /** Where each part stands, in font units. */
  readonly parts: readonly { readonly glyph: number; readonly x: number; readonly y: number }[];
  /** Thousandths of an em. */
  readonly advance: number;
}

/** A glyph by its number in its font, or one made of several. */
export type Glyph = number | CompositeGlyph;

/** A parsed font and what is looked up in it again and again. Lengths are thousandths of an em. */
export interface FontFace {
  /** `sans-bold`, unique among the faces of a worker. */
  readonly id: string;
  /** As pdfkit embeds it. */
  readonly font: Font;
  /** The font file. */
  readonly file: Buffer;
  /** Whether its outlines are TrueType's, else they are CFF's. */
  readonly isTrueType: boolean;
  /** Font units to thousandths of an em. */
  readonly scale: number;
  /** Zero when the font has no glyph for it. */
  glyphOf(codePoint: number): number;
  advanceOf(glyph: number): number;
  /** The shift between two neighbours that shaping would add; zero where the face does not kern them. */
  kernOf(left: number, right: number): number;
  readonly shape: Shape;
}

const faces = new Map<string, FontFace>();
const chosen: Partial<Record<FontFamily, Partial<Record<FontStyle, FontFace>>>> = {};

/**
 * The face of a family and style, parsed at its first use and kept as long as the worker lives: parsing costs
 * more than drawing a small report. A family without the style gives its nearest face.
 */
export function fontFace(family: FontFamily, style: FontStyle): FontFace {
  const ready = chosen[family]?.[style];
  if (ready !== undefined) return ready;
  const file = fontFile(family, style);
  const id = `${family}-${file.style}`;
  const face = faces.get(id) ?? openFace(id, readFileSync(file.path));
  faces.set(id, face);
  chosen[family] = { ...chosen[family], [style]: face };
  return face;
}

function openFace(id: string, file: Buffer): FontFace {
  const tables = readTables(file);
  const scale = 1000 / tableOf(tables, 'head').readUInt16BE(18);
  const glyphOf = readCharacterMap(tables);
  const advances = readAdvances(tables, scale);
  const kerns = new Float64Array(0x80 * 0x80).fill(Number.NaN);
  let font: Font | undefined;
  let opened: Shape | undefined;

  const advanceOf = (glyph: number): number => advances[glyph] ?? 0;
  const shape: Shape = (text, start, end, isRightToLeft) => {
    opened ??= openShaping(tables);
    return opened(text, start, end, isRightToLeft);
  };
  const kernOf = (left: number, right: number): number => {
    if (!kernable(left) || !kernable(right)) return 0;
    const slot = left * 0x80 + right;
    const known = kerns[slot] ?? 0;
    if (!Number.isNaN(known)) return known;
    const glyphs = shape(String.fromCharCode(left, right), 0, 2, false);
    // A pair that melts into one glyph is a ligature; letters are drawn one by one here.
    const advance = glyphs.length === 2 ? (glyphs[0]?.advance ?? 0) * scale : undefined;
    const kern = advance === undefined ? 0 : advance - advanceOf(glyphOf(left));
    kerns[slot] = kern;
    return kern;
  };
  return {
    id,
    get font() {
      font ??= create(file) as Font;
      return font;
    },
    file,
    isTrueType: file.readUInt32BE(0) === 0x00010000,
    scale,
    glyphOf,
    advanceOf,
    kernOf,
    shape,
  };
}

/** The advance of every glyph (OpenType 1.9, hmtx): those behind the last one listed have its advance. */
function readAdvances(tables: Tables, scale: number): Float64Array {
  const hmtx = tableOf(tables, 'hmtx');
  const listed = tableOf(tables, 'hhea').readUInt16BE(34);
  return Float64Array.from(
    { length: tableOf(tables, 'maxp').readUInt16BE(4) },
    (_, glyph) => hmtx.readUInt16BE(Math.min(glyph, listed - 1) * 4) * scale,
  );
}

/** ASCII letters and the marks that stand beside them: a table small enough that no text can make it costly. */
function kernable(codePoint: number): boolean {
  if (codePoint >= 0x61) return codePoint <= 0x7a;
  if (codePoint >= 0x41) return codePoint <= 0x5a;
  return codePoint === 0x2c || codePoint === 0x2e || codePoint === 0x27 || codePoint === 0x2d;
}
