import type { CompositeGlyph, Glyph } from './font-face.ts';
import { assembleFont, readTables, type Tables, tableOf } from './truetype-tables.ts';

/**
 * Builds a TrueType font of the chosen glyphs, in their order, from a full one.
 *
 * A glyph may stand in the list twice, so that two characters of one shape keep their own numbers; a composite
 * becomes a glyph made of parts. The parts are added behind. Holds the tables that a PDF needs (ISO 32000-1, 9.9)
 * and no others.
 */
export function subsetTrueType(source: Buffer, chosen: readonly Glyph[]): Uint8Array {
  const tables = readTables(source);
  const head = Buffer.from(tableOf(tables, 'head'));
  const maxp = Buffer.from(tableOf(tables, 'maxp'));
  const hhea = Buffer.from(tableOf(tables, 'hhea'));
  const metricsOf = metricsReader(tables, hhea.readUInt16BE(34));
  const unitsPerEm = head.readUInt16BE(18);
  const outlines = collectOutlines(chosen, outlineReader(tables, head.readInt16BE(50)));

  const loca = Buffer.alloc((outlines.length + 1) * 4);
  const hmtx = Buffer.alloc(outlines.length * 4);
  const parts: Buffer[] = [];
  let length = 0;
  outlines.forEach(({ glyph, data }, index) => {
    loca.writeUInt32BE(length, index * 4);
    // Glyphs begin at multiples of four bytes.
    const padding = (4 - (data.length % 4)) % 4;
    parts.push(data, Buffer.alloc(padding));
    length += data.length + padding;
    const [advance, bearing] =
      typeof glyph === 'number'
        ? metricsOf(glyph)
        : [Math.round((glyph.advance * unitsPerEm) / 1000), data.length === 0 ? 0 : data.readInt16BE(2)];
    hmtx.writeUInt16BE(advance, index * 4);
    hmtx.writeInt16BE(bearing, index * 4 + 2);
  });
  loca.writeUInt32BE(length, outlines.length * 4);
  head.writeUInt32BE(0, 8);
  head.writeInt16BE(1, 50);
  hhea.writeUInt16BE(outlines.length, 34);
  writeMaxima(maxp, outlines);
  return assembleFont([
    ['cvt ', tables.get('cvt ')],
    ['fpgm', tables.get('fpgm')],
    ['glyf', Buffer.concat(parts)],
    ['head', head],
    ['hhea', hhea],
    ['hmtx', hmtx],
    ['loca', loca],
    ['maxp', maxp],
    ['prep', tables.get('prep')],
  ]);
}

interface Outline {
  readonly glyph: Glyph;
  readonly data: Buffer;
}

function outlineReader(tables: Tables, locationFormat: number): (glyph: number) => Buffer {
  const loca = tableOf(tables, 'loca');
  const glyf = tableOf(tables, 'glyf');
  const offsetOf = (glyph: number) =>
    locationFormat === 0 ? loca.readUInt16BE(glyph * 2) * 2 : loca.readUInt32BE(glyph * 4);
  return (glyph) => glyf.subarray(offsetOf(glyph), offsetOf(glyph + 1));
}

function metricsReader(
  tables: Tables,
  longCount: number,
): (glyph: number) => [advance: number, bearing: number] {
  const hmtx = tableOf(tables, 'hmtx');
  return (glyph) => {
    const last = Math.min(glyph, longCount - 1);
    const bearingAt = glyph < longCount ? glyph * 4 + 2 : longCount * 4 + (glyph - longCount) * 2;
    return [hmtx.readUInt16BE(last * 4), hmtx.readInt16BE(bearingAt)];
  };
}

/** The outlines of the chosen glyphs, then those of their parts, with the parts' numbers mended. */
function collectOutlines(chosen: readonly Glyph[], outlineOf: (glyph: number) => Buffer): Outline[] {
  const glyphs = [...chosen];
  const placeOf = new Map<number, number>();
  chosen.forEach((glyph, index) => {
    if (typeof glyph === 'number' && !placeOf.has(glyph)) placeOf.set(glyph, index);
  });
  const place = (part: number): number => {
    const known = placeOf.get(part);
    if (known !== undefined) return known;
    placeOf.set(part, glyphs.length);
    return glyphs.push(part) - 1;
  };
  const outlines: Outline[] = [];
  for (let index = 0; index < glyphs.length; index++) {
    const glyph = glyphs[index] ?? 0;
    if (typeof glyph !== 'number') {
      outlines.push({ glyph, data: composeOutline(glyph, outlineOf, place) });
      continue;
    }
    let data = outlineOf(glyph);
    if (isComposite(data)) {
      data = Buffer.from(data);
      for (const at of partOffsets(data)) data.writeUInt16BE(place(data.readUInt16BE(at)), at);
    }
    outlines.push({ glyph, data });
  }
  return outlines;
}

const flags = {
  wordArguments: 0x1,
  offsets: 0x2,
  scale: 0x8,
  moreComponents: 0x20,
  twoScales: 0x40,
  matrix: 0x80,
};

/** Writes a glyph of several others, each at its place (OpenType 1.9, glyf, composite glyph description). */
function composeOutline(
  composite: CompositeGlyph,
  outlineOf: (glyph: number) => Buffer,
  place: (part: number) => number,
): Buffer {
  const parts = composite.parts
    .map(({ glyph, x, y }) => ({ glyph, x: Math.round(x), y: Math.round(y), outline: outlineOf(glyph) }))
    .filter(({ outline }) => outline.length > 0);
  if (parts.length === 0) return Buffer.alloc(0);
  const data = Buffer.alloc(10 + parts.length * 8);
  const corner = (at: number, pick: (...values: number[]) => number, axis: 'x' | 'y') =>
    pick(...parts.map((part) => part.outline.readInt16BE(at) + part[axis]));
  data.writeInt16BE(-1, 0);
  data.writeInt16BE(corner(2, Math.min, 'x'), 2);
  data.writeInt16BE(corner(4, Math.min, 'y'), 4);
  data.writeInt16BE(corner(6, Math.max, 'x'), 6);
  data.writeInt16BE(corner(8, Math.max, 'y'), 8);
  parts.forEach(({ glyph, x, y }, index) => {
    const at = 10 + index * 8;
    const more = index < parts.length - 1 ? flags.moreComponents : 0;
    data.writeUInt16BE(flags.wordArguments | flags.offsets | more, at);
    data.writeUInt16BE(place(glyph), at + 2);
    data.writeInt16BE(x, at + 4);
    data.writeInt16BE(y, at + 6);
  });
  return data;
}

function isComposite(data: Buffer): boolean {
  return data.length > 10 && data.readInt16BE(0) < 0;
}

/** Where a composite glyph names its parts. */
function partOffsets(data: Buffer): number[] {
  const offsets: number[] = [];
  let at = 10;
  let flag = flags.moreComponents;
  while ((flag & flags.moreComponents) !== 0) {
    flag = data.readUInt16BE(at);
    offsets.push(at + 2);
    at += 4 + ((flag & flags.wordArguments) !== 0 ? 4 : 2);
    if ((flag & flags.scale) !== 0) at += 2;
    else if ((flag & flags.twoScales) !== 0) at += 4;
    else if ((flag & flags.matrix) !== 0) at += 8;
  }
  return offsets;
}

/** Counts what renderers reserve memory for: points, contours, parts and how deep they nest. */
function writeMaxima(maxp: Buffer, outlines: readonly Outline[]): void {
  maxp.writeUInt16BE(outlines.length, 4);
  const sizes = outlines.map(
    () => undefined as { points: number; contours: number; depth: number } | undefined,
  );
  const sizeOf = (index: number): { points: number; contours: number; depth: number } => {
    const known = sizes[index];
    if (known !== undefined) return known;
    const data = outlines[index]?.data ?? Buffer.alloc(0);
    const size = { points: 0, contours: 0, depth: 0 };
    sizes[index] = size;
    if (isComposite(data)) {
      for (const at of partOffsets(data)) {
        const part = sizeOf(data.readUInt16BE(at));
        size.points += part.points;
        size.contours += part.contours;
        size.depth = Math.max(size.depth, part.depth + 1);
      }
    } else if (data.length > 10) {
      size.contours = data.readInt16BE(0);
      size.points = data.readUInt16BE(8 + size.contours * 2) + 1;
    }
    return size;
  };
  let [points, contours, parts, depth] = [0, 0, 0, 0];
  outlines.forEach(({ data }, index) => {
    if (!isComposite(data)) return;
    const size = sizeOf(index);
    points = Math.max(points, size.points);
    contours = Math.max(contours, size.contours);
    parts = Math.max(parts, partOffsets(data).length);
    depth = Math.max(depth, size.depth);
  });
  maxp.writeUInt16BE(Math.max(points, maxp.readUInt16BE(10)), 10);
  maxp.writeUInt16BE(Math.max(contours, maxp.readUInt16BE(12)), 12);
  maxp.writeUInt16BE(Math.max(parts, maxp.readUInt16BE(28)), 28);
  maxp.writeUInt16BE(Math.max(depth, maxp.readUInt16BE(30)), 30);
}
