import { mirrored } from './bidi-types.ts';
import type { FontFace } from './font-face.ts';
import { fontFace } from './font-face.ts';
import type { FontStyle } from './font-files.ts';
import type { GlyphRun } from './glyph-run.ts';
import {
  type CjkOrder,
  candidateFamilies,
  extendsCluster,
  hasRightToLeft,
  isInvisible,
  needsShaping,
} from './script.ts';
import { createClusterShaper } from './shape-complex.ts';

/** What a stretch of text looks like, its size and colour aside. */
export interface Look {
  readonly bold: boolean;
  readonly italic: boolean;
  readonly mono: boolean;
}

/**
 * Width in thousandths of an em of a text that needs neither shaping nor a second face; undefined when it does.
 */
export function measurePlain(text: string, look: Look): number | undefined {
  if (!plainText.test(text)) return undefined;
  const face = textFace(look);
  let width = 0;
  let previous = 0;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    const glyph = face.glyphOf(code);
    if (glyph === 0) return undefined;
    width += face.advanceOf(glyph) + (previous === 0 ? 0 : face.kernOf(previous, code));
    previous = code;
  }
  return width;
}

/** Turns text into glyphs for one document. */
export interface Typesetter {
  /** Width in thousandths of an em of a text set from left to right. */
  measure(text: string, look: Look): number;
  /** The runs of a text of one direction in the order in which they stand, left to right. */
  shape(text: string, look: Look, isRightToLeft?: boolean): GlyphRun[];
  /** Code points that no font has, as met by `shape`. */
  readonly missing: ReadonlySet<number>;
  /** Whether there was more of a script that needs shaping than one document may have shaped. */
  readonly isBeyondShaping: boolean;
}

/** Latin, Greek and Cyrillic letters and the commonest marks: one glyph a character in the text face. */
const plainText = /^[ -~\u00a0-\u00ac\u00ae-\u024f\u0370-\u0482\u048a-\u052f\u1e00-\u1fff–—‘’“”•…€]*$/;

/** What is looked up for every sign of a text in one look, by blocks of 256 code points. */
interface LookTables {
  /** Null where no face has a glyph. */
  readonly faces: (FontFace | null | undefined)[][];
  readonly signWidths: Float64Array[];
  readonly textWidths: Map<string, number>;
}

/** Texts up to this length come again and again: their widths are kept. */
const keptUnitsMax = 200;
const keptTextsMax = 20_000;

/** A typesetter picks, for every sign, the first face that has its glyph; what none has becomes a visible box. */
export function createTypesetter(cjkOrder: CjkOrder): Typesetter {
  const missing = new Set<number>();
  const shaper = createClusterShaper();
  const tables: LookTables[] = [];

  const tablesOf = (look: Look): LookTables => {
    const index = (look.bold ? 1 : 0) | (look.italic ? 2 : 0) | (look.mono ? 4 : 0);
    tables[index] ??= { faces: [], signWidths: [], textWidths: new Map() };
    return tables[index];
  };
  const faceFor: FaceFinder = (codePoint, look) => {
    const { faces } = tablesOf(look);
    faces[codePoint >> 8] ??= [];
    const block = faces[codePoint >> 8] ?? [];
    let face = block[codePoint & 0xff];
    if (face === undefined) {
      face = findFace(codePoint, look, cjkOrder) ?? null;
      block[codePoint & 0xff] = face;
    }
    return face ?? undefined;
  };

  const shape = (text: string, look: Look, isRightToLeft = false): GlyphRun[] => {
    if (text === '') return [];
    if (!isRightToLeft && measurePlain(text, look) !== undefined) return [shapeSimple(text, textFace(look))];
    const runs = itemize(text, look, faceFor).map((item) => {
      for (const codePoint of item.missing ?? []) missing.add(codePoint);
      const slice = text.slice(item.start, item.end);
      return item.isComplex
        ? shaper.shape(slice, item.face, isRightToLeft)
        : shapeSimple(slice, item.face, isRightToLeft);
    });
    return isRightToLeft ? runs.reverse() : runs;
  };

  const measureItems = (text: string, look: Look): number => {
    const isRightToLeft = hasRightToLeft(text);
    let width = 0;
    for (const item of itemize(text, look, faceFor)) {
      const slice = text.slice(item.start, item.end);
      width += item.isComplex
        ? shaper.measure(slice, item.face, isRightToLeft)
        : measureSimple(slice, item.face);
    }
    return width;
  };
  const measureSign = (text: string, codePoint: number, look: Look): number => {
    const { signWidths } = tablesOf(look);
    signWidths[codePoint >> 8] ??= new Float64Array(0x100).fill(Number.NaN);
    const block = signWidths[codePoint >> 8] ?? new Float64Array(0x100);
    const known = block[codePoint & 0xff] ?? Number.NaN;
    if (!Number.isNaN(known)) return known;
    const width = measureItems(text, look);
    block[codePoint & 0xff] = width;
    return width;
  };
  const measure = (text: string, look: Look): number => {
    if (text.length <= 2) {
      const codePoint = text.codePointAt(0);
      if (codePoint === undefined) return 0;
      if (text.length === (codePoint > 0xffff ? 2 : 1)) return measureSign(text, codePoint, look);
    }
    const plain = measurePlain(text, look);
    if (plain !== undefined) return plain;
    if (text.length > keptUnitsMax) return measureItems(text, look);
    const { textWidths } = tablesOf(look);
    const known = textWidths.get(text);
    if (known !== undefined) return known;
    const width = measureItems(text, look);
    if (textWidths.size < keptTextsMax) textWidths.set(text, width);
    return width;
  };

  return {
    measure,
    shape,
    missing,
    get isBeyondShaping() {
      return shaper.isExceeded;
    },
  };
}

function styleOf(look: Look): FontStyle {
  if (look.bold) return look.italic ? 'boldItalic' : 'bold';
  return look.italic ? 'italic' : 'regular';
}

function textFace(look: Look): FontFace {
  return fontFace(look.mono ? 'mono' : 'sans', styleOf(look));
}

function findFace(codePoint: number, look: Look, cjkOrder: CjkOrder): FontFace | undefined {
  const style = styleOf(look);
  const own = textFace(look);
  if (own.glyphOf(codePoint) !== 0) return own;
  if (look.mono) {
    const sans = fontFace('sans', style);
    if (sans.glyphOf(codePoint) !== 0) return sans;
  }
  for (const family of candidateFamilies(codePoint, cjkOrder)) {
    const face = fontFace(family, style);
    if (face.glyphOf(codePoint) !== 0) return face;
  }
  return undefined;
}

interface Item {
  readonly face: FontFace;
  readonly isComplex: boolean;
  readonly start: number;
  end: number;
  missing: number[] | undefined;
}

type FaceFinder = (codePoint: number, look: Look) => FontFace | undefined;

const emojiPresentation = 0xfe0f;
const joiner = 0x200d;

/** Cuts a text where the face or the way of shaping changes, never inside a sign and its marks. */
function itemize(text: string, look: Look, faceFor: FaceFinder): Item[] {
  const items: Item[] = [];
  let last: Item | undefined;
  let index = 0;
  while (index < text.length) {
    const start = index;
    const first = text.codePointAt(index) ?? 0;
    index += first > 0xffff ? 2 : 1;
    const cluster = marksAfter(text, index, first);
    if (cluster !== undefined) index = start + cluster.units;
    const found = cluster === undefined ? faceFor(first, look) : clusterFace(cluster.signs, look, faceFor);
    const face = found ?? textFace(look);
    const isComplex = cluster === undefined ? needsShaping(first) : cluster.signs.some(needsShaping);
    if (
      last === undefined ||
      last.face !== face ||
      last.isComplex !== isComplex ||
      index - last.start > 256
    ) {
      last = { face, isComplex, start, end: index, missing: undefined };
      items.push(last);
    }
    last.end = index;
    if (cluster === undefined && found !== undefined) continue;
    for (const codePoint of cluster?.signs ?? [first]) {
      if (face.glyphOf(codePoint) !== 0 || isInvisible(codePoint)) continue;
      last.missing ??= [];
      last.missing.push(codePoint);
    }
  }
  return items;
}

const clusterSignsMax = 32;

/** The sign `first` with the marks that stand from `index` on; undefined when there are none. */
function marksAfter(
  text: string,
  index: number,
  first: number,
): { readonly signs: number[]; readonly units: number } | undefined {
  if (first !== joiner && !extendsCluster(text.codePointAt(index) ?? 0)) return undefined;
  const signs = [first];
  let end = index;
  let previous = first;
  while (end < text.length && signs.length < clusterSignsMax) {
    const next = text.codePointAt(end) ?? 0;
    if (previous !== joiner && !extendsCluster(next)) break;
    signs.push(next);
    previous = next;
    end += next > 0xffff ? 2 : 1;
  }
  return { signs, units: end - index + (first > 0xffff ? 2 : 1) };
}

function clusterFace(cluster: readonly number[], look: Look, faceFor: FaceFinder): FontFace | undefined {
  const [base = 0] = cluster;
  if (cluster.includes(emojiPresentation)) {
    const emoji = fontFace('emoji', styleOf(look));
    if (emoji.glyphOf(base) !== 0) return emoji;
  }
  const first = faceFor(base, look);
  let best = first;
  let mostFound = 0;
  for (const face of [first, ...cluster.slice(1).map((codePoint) => faceFor(codePoint, look))]) {
    if (face === undefined) continue;
    const found = cluster.filter(
      (codePoint) => isInvisible(codePoint) || face.glyphOf(codePoint) !== 0,
    ).length;
    if (found > mostFound) [best, mostFound] = [face, found];
    if (found === cluster.length) break;
  }
  return best;
}

function measureSimple(text: string, face: FontFace): number {
  let width = 0;
  let previous = 0;
  for (const character of text) {
    const codePoint = character.codePointAt(0) ?? 0;
    if (isInvisible(codePoint)) continue;
    width +=
      face.advanceOf(face.glyphOf(codePoint)) + (previous === 0 ? 0 : face.kernOf(previous, codePoint));
    previous = codePoint;
  }
  return width;
}

function shapeSimple(text: string, face: FontFace, isRightToLeft = false): GlyphRun {
  const glyphs: number[] = [];
  const texts: string[] = [];
  let adjustments: number[] | undefined;
  let width = 0;
  let previous = 0;
  for (const character of text) {
    const codePoint = character.codePointAt(0) ?? 0;
    if (isInvisible(codePoint)) continue;
    const drawn = isRightToLeft ? (mirrored(character).codePointAt(0) ?? codePoint) : codePoint;
    const glyph = face.glyphOf(drawn);
    const kern = previous === 0 || isRightToLeft ? 0 : face.kernOf(previous, codePoint);
    if (kern !== 0) {
      adjustments ??= [];
      adjustments[glyphs.length - 1] = kern;
    }
    width += face.advanceOf(glyph) + kern;
    glyphs.push(glyph);
    texts.push(character);
    previous = codePoint;
  }
  if (isRightToLeft) {
    glyphs.reverse();
    texts.reverse();
  }
  return { face, glyphs, texts, width, ...(adjustments === undefined ? {} : { adjustments }) };
}
