/** An INDEX of a CFF font: its objects stand one after the other (Adobe TN 5176, clause 5). */
export interface CffIndex {
  readonly count: number;
  /** The first byte after it. */
  readonly end: number;
  get(index: number): Buffer;
}

/** Operators of a DICT with their operands; two-byte operators are 1200 plus their second byte. */
export type CffDict = ReadonlyMap<number, readonly number[]>;

/** A private dictionary as it stands, without its subroutines' offset, and the subroutines. */
export interface CffPrivate {
  readonly entries: Buffer;
  readonly subrs: CffIndex | undefined;
}

/** What of a CID-keyed CFF font goes into a subset. */
export interface CffFont {
  readonly charStrings: CffIndex;
  readonly globalSubrs: CffIndex;
  readonly privates: readonly CffPrivate[];
  fdOf(glyph: number): number;
}

export const cffOperators = {
  charset: 15,
  charStrings: 17,
  private: 18,
  subrs: 19,
  ros: 1230,
  cidCount: 1234,
  fdArray: 1236,
  fdSelect: 1237,
} as const;

/** Reads the CFF table of a CID-keyed OpenType font. */
export function readCff(table: Buffer): CffFont {
  const names = readIndex(table, table.readUInt8(2));
  const topDicts = readIndex(table, names.end);
  const strings = readIndex(table, topDicts.end);
  const globalSubrs = readIndex(table, strings.end);
  const top = readDict(topDicts.get(0));
  const offsetOf = (operator: number): number => {
    const offset = top.get(operator)?.[0];
    if (offset === undefined) throw new Error(`the CFF font has no entry ${operator}`);
    return offset;
  };
  const fdArray = readIndex(table, offsetOf(cffOperators.fdArray));
  const privates = Array.from({ length: fdArray.count }, (_, index) => {
    const [size = 0, offset = 0] = readDict(fdArray.get(index)).get(cffOperators.private) ?? [];
    return readPrivate(table, offset, size);
  });
  return {
    charStrings: readIndex(table, offsetOf(cffOperators.charStrings)),
    globalSubrs,
    privates,
    fdOf: fdReader(table, offsetOf(cffOperators.fdSelect)),
  };
}

function readIndex(table: Buffer, at: number): CffIndex {
  const count = table.readUInt16BE(at);
  if (count === 0) return { count, end: at + 2, get: () => Buffer.alloc(0) };
  const size = table.readUInt8(at + 2);
  const offsets = at + 3;
  const base = offsets + (count + 1) * size - 1;
  const offset = (index: number) => base + table.readUIntBE(offsets + index * size, size);
  return { count, end: offset(count), get: (index) => table.subarray(offset(index), offset(index + 1)) };
}

function readPrivate(table: Buffer, offset: number, size: number): CffPrivate {
  const bytes = table.subarray(offset, offset + size);
  const kept: Buffer[] = [];
  let subrs: CffIndex | undefined;
  scanDict(bytes, (operator, operands, from, to) => {
    if (operator === cffOperators.subrs) subrs = readIndex(table, offset + (operands[0] ?? 0));
    else kept.push(bytes.subarray(from, to));
  });
  return { entries: Buffer.concat(kept), subrs };
}

function readDict(bytes: Buffer): CffDict {
  const dict = new Map<number, readonly number[]>();
  scanDict(bytes, (operator, operands) => dict.set(operator, operands));
  return dict;
}

/** Calls back for each entry with the bytes `from` to `to` that hold it (TN 5176, clause 4). */
function scanDict(
  bytes: Buffer,
  entry: (operator: number, operands: readonly number[], from: number, to: number) => void,
): void {
  let operands: number[] = [];
  let from = 0;
  let at = 0;
  while (at < bytes.length) {
    const first = bytes.readUInt8(at);
    if (first <= 21) {
      const isLong = first === 12;
      const operator = isLong ? 1200 + bytes.readUInt8(at + 1) : first;
      at += isLong ? 2 : 1;
      entry(operator, operands, from, at);
      operands = [];
      from = at;
    } else {
      const [value, length] = readOperand(bytes, at, first);
      operands.push(value);
      at += length;
    }
  }
}

function readOperand(bytes: Buffer, at: number, first: number): [value: number, length: number] {
  if (first === 28) return [bytes.readInt16BE(at + 1), 3];
  if (first === 29) return [bytes.readInt32BE(at + 1), 5];
  if (first >= 32 && first <= 246) return [first - 139, 1];
  if (first >= 247 && first <= 250) return [(first - 247) * 256 + bytes.readUInt8(at + 1) + 108, 2];
  if (first >= 251 && first <= 254) return [-(first - 251) * 256 - bytes.readUInt8(at + 1) - 108, 2];
  // A real number: half bytes up to one that is all ones. Offsets and sizes are never real.
  let end = at + 1;
  while ((bytes.readUInt8(end) & 0x0f) !== 0x0f && bytes.readUInt8(end) >> 4 !== 0x0f) end++;
  return [0, end + 1 - at];
}

function fdReader(table: Buffer, at: number): (glyph: number) => number {
  if (table.readUInt8(at) === 0) return (glyph) => table.readUInt8(at + 1 + glyph);
  const ranges = table.readUInt16BE(at + 1);
  const firstOf = (range: number) => table.readUInt16BE(at + 3 + range * 3);
  return (glyph) => {
    let low = 0;
    let high = ranges - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (firstOf(middle) <= glyph) low = middle;
      else high = middle - 1;
    }
    return table.readUInt8(at + 3 + low * 3 + 2);
  };
}
