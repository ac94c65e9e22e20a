import { type Tables, tableOf } from './truetype-tables.ts';

/** Platform and encoding of the subtables that speak Unicode, those with every plane first (OpenType 1.9, cmap). */
const unicodeEncodings = ['3.10', '0.6', '0.4', '3.1', '0.3'];

/**
 * Reads which glyph stands for a code point; zero when the font has none.
 *
 * Answers are kept by blocks of 256: the neighbours of a character come with it, and a lookup costs two array reads.
 */
export function readCharacterMap(tables: Tables): (codePoint: number) => number {
  const fill = fillerOf(tableOf(tables, 'cmap'));
  const blocks: (Uint16Array | undefined)[] = [];
  return (codePoint) => {
    const known = blocks[codePoint >> 8];
    if (known !== undefined) return known[codePoint & 0xff] ?? 0;
    const block = new Uint16Array(0x100);
    fill(block, codePoint & ~0xff);
    blocks[codePoint >> 8] = block;
    return block[codePoint & 0xff] ?? 0;
  };
}

/** Writes the glyphs of the code points from `first` on. */
type BlockFiller = (block: Uint16Array, first: number) => void;

function fillerOf(cmap: Buffer): BlockFiller {
  const offsets = new Map<string, number>();
  for (let index = 0; index < cmap.readUInt16BE(2); index++) {
    const record = 4 + index * 8;
    offsets.set(
      `${cmap.readUInt16BE(record)}.${cmap.readUInt16BE(record + 2)}`,
      cmap.readUInt32BE(record + 4),
    );
  }
  for (const encoding of unicodeEncodings) {
    const offset = offsets.get(encoding);
    if (offset === undefined) continue;
    const subtable = cmap.subarray(offset);
    const format = subtable.readUInt16BE(0);
    if (format === 12) return segmentedCoverage(subtable);
    if (format === 4) return segmentMapping(subtable);
  }
  throw new Error('the font has no character map of format 4 or 12');
}

/** Format 12: groups of consecutive code points, ascending. */
function segmentedCoverage(subtable: Buffer): BlockFiller {
  const count = subtable.readUInt32BE(12);
  const startOf = (group: number) => subtable.readUInt32BE(16 + group * 12);
  return (block, first) => {
    const last = first + block.length - 1;
    for (let group = Math.max(0, lastAtMost(count, first, startOf)); group < count; group++) {
      const start = startOf(group);
      if (start > last) break;
      const end = Math.min(last, subtable.readUInt32BE(20 + group * 12));
      const glyph = subtable.readUInt32BE(24 + group * 12);
      for (let code = Math.max(start, first); code <= end; code++) block[code - first] = glyph + code - start;
    }
  };
}

/** Format 4: segments of the basic plane, ascending. */
function segmentMapping(subtable: Buffer): BlockFiller {
  const size = subtable.readUInt16BE(6);
  const [ends, starts, deltas, ranges] = [14, 16 + size, 16 + 2 * size, 16 + 3 * size] as const;
  const startOf = (segment: number) => subtable.readUInt16BE(starts + segment * 2);
  return (block, first) => {
    const last = Math.min(0xffff, first + block.length - 1);
    for (let segment = Math.max(0, lastAtMost(size / 2, first, startOf)); segment < size / 2; segment++) {
      const start = startOf(segment);
      if (start > last) break;
      const end = Math.min(last, subtable.readUInt16BE(ends + segment * 2));
      const delta = subtable.readUInt16BE(deltas + segment * 2);
      const range = subtable.readUInt16BE(ranges + segment * 2);
      for (let code = Math.max(start, first); code <= end; code++) {
        const listed =
          range === 0 ? code : subtable.readUInt16BE(ranges + segment * 2 + range + 2 * (code - start));
        block[code - first] = listed === 0 ? 0 : (listed + delta) & 0xffff;
      }
    }
  };
}

/** The last of `count` ascending values that is at most `wanted`; -1 when none is. */
function lastAtMost(count: number, wanted: number, valueAt: (index: number) => number): number {
  let low = -1;
  let high = count - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (valueAt(middle) <= wanted) low = middle;
    else high = middle - 1;
  }
  return low;
}
