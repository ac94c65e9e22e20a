import { mirrored } from './bidi.ts';
import type { FontFace, Glyph } from './font-face.ts';
import { fontFace } from './font-face.ts';
import type { FontStyle } from './font-files.ts';
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

/** Glyphs of one face from left to right. Lengths are thousandths of an em. */
export interface GlyphRun {
  readonly face: FontFace;
  readonly glyphs: readonly Glyph[];
  /** The text of each glyph, for extraction; empty where `actualText` covers it. */
  readonly texts: readonly string[];
  /** What the advance of each glyph differs from the face's own by; absent: nowhere. */
  readonly adjustments?: readonly number[];
  /** Where each glyph is drawn beside its place; absent: nowhere. */
  readonly offsets?: readonly (readonly [x: number, y: number])[];
  readonly width: number;
  /** The run's text in reading order, where the glyphs' own texts do not give it. */
  readonly actualText?: string;
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

/** A typesetter picks, for every sign, the first face that has its glyph; what none has becomes a visible box. */
export function createTypesetter(cjkOrder: CjkOrder): Typesetter {
  const missing = new Set<number>();
  const shaper = createClusterShaper();
  const widths = new Map<string, number>();
  const chosen = new Map<string, Map<number, FontFace | undefined>>();

  const faceFor = (codePoint: number, look: Look): FontFace | undefined => {
    const style = styleOf(look);
    const key = look.mono ? `mono-${style}` : style;
    let faces = chosen.get(key);
    if (faces === undefined) {
      faces = new Map();
      chosen.set(key, faces);
    }
    if (faces.has(codePoint)) return faces.get(codePoint);
    const face = findFace(codePoint, look, cjkOrder);
    faces.set(codePoint, face);
    return face;
  };

  const shape = (text: string, look: Look, isRightToLeft = false): GlyphRun[] => {
    if (text === '') return [];
    if (!isRightToLeft && measurePlain(text, look) !== undefined) return [shapeSimple(text, textFace(look))];
    const runs = itemize(text, look, faceFor).map((item) => {
      for (const codePoint of item.missing) missing.add(codePoint);
      const slice = text.slice(item.start, item.end);
      return item.isComplex
        ? shaper.shape(slice, item.face, isRightToLeft)
        : shapeSimple(slice, item.face, isRightToLeft);
    });
    return isRightToLeft ? runs.reverse() : runs;
  };

  const measure = (text: string, look: Look): number => {
    const plain = measurePlain(text, look);
    if (plain !== undefined) return plain;
    const key = `${styleOf(look)}${look.mono ? '-mono ' : ' '}${text}`;
    const known = widths.get(key);
    if (known !== undefined) return known;
    const isRightToLeft = hasRightToLeft(text);
    let width = 0;
    for (const item of itemize(text, look, faceFor)) {
      const slice = text.slice(item.start, item.end);
      width += item.isComplex
        ? shaper.measure(slice, item.face, isRightToLeft)
        : measureSimple(slice, item.face);
    }
    if (text.length <= 40 && widths.size < 20_000) widths.set(key, width);
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
  readonly missing: number[];
}

const emojiPresentation = 0xfe0f;
const joiner = 0x200d;

/** Cuts a text where the face or the way of shaping changes, never inside a sign and its marks. */
function itemize(
  text: string,
  look: Look,
  faceFor: (codePoint: number, look: Look) => FontFace | undefined,
): Item[] {
  const items: Item[] = [];
  let last: Item | undefined;
  let index = 0;
  while (index < text.length) {
    const start = index;
    const first = text.codePointAt(index) ?? 0;
    index += first > 0xffff ? 2 : 1;
    let cluster: number[] | undefined;
    let previous = first;
    while (index < text.length) {
      const next = text.codePointAt(index) ?? 0;
      if (previous !== joiner && !extendsCluster(next)) break;
      cluster ??= [first];
      if (cluster.length >= 32) break;
      cluster.push(next);
      previous = next;
      index += next > 0xffff ? 2 : 1;
    }
    const found = cluster === undefined ? faceFor(first, look) : clusterFace(cluster, look, faceFor);
    const face = found ?? textFace(look);
    const isComplex = cluster === undefined ? needsShaping(first) : cluster.some(needsShaping);
    if (
      last === undefined ||
      last.face !== face ||
      last.isComplex !== isComplex ||
      index - last.start > 256
    ) {
      last = { face, isComplex, start, end: index, missing: [] };
      items.push(last);
    }
    last.end = index;
    for (const codePoint of cluster ?? [first]) {
      if (face.glyphOf(codePoint) === 0 && !isInvisible(codePoint)) last.missing.push(codePoint);
    }
  }
  return items;
}

function clusterFace(
  cluster: readonly number[],
  look: Look,
  faceFor: (codePoint: number, look: Look) => FontFace | undefined,
): FontFace | undefined {
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
