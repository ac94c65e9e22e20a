import { type CffFont, type CffIndex, cffOperators, readCff } from './cff-reader.ts';
import { markSubroutines } from './charstring-scan.ts';
import { readTables, tableOf } from './truetype-tables.ts';

const fonts = new WeakMap<Buffer, CffFont>();

/**
 * Builds a bare CFF font of the chosen glyphs, in their order, from a CID-keyed OpenType font: glyph n has CID n
 * (ISO 32000-1, 9.7.4.2). Subroutines that no chosen glyph calls are left empty, so that calls keep their numbers.
 */
export function subsetCff(source: Buffer, chosen: readonly number[]): Uint8Array {
  let font = fonts.get(source);
  if (font === undefined) {
    font = readCff(tableOf(readTables(source), 'CFF '));
    fonts.set(source, font);
  }
  const keepsAll = chosen.length > scannedGlyphsMax;
  const usedGlobals = new Set<number>();
  const usedLocals = new Map<number, Set<number>>();
  const fds: number[] = [];
  const charStrings: Buffer[] = [];
  for (const glyph of chosen) {
    const fd = font.fdOf(glyph);
    const locals = usedLocals.get(fd) ?? new Set<number>();
    usedLocals.set(fd, locals);
    const charString = font.charStrings.get(glyph);
    if (!keepsAll)
      markSubroutines(charString, font.globalSubrs, font.privates[fd]?.subrs, usedGlobals, locals);
    fds.push(fd);
    charStrings.push(charString);
  }
  const fdOrder = [...usedLocals.keys()];
  return assemble(
    charStrings,
    fds.map((fd) => fdOrder.indexOf(fd)),
    keepUsed(font.globalSubrs, keepsAll ? undefined : usedGlobals) ?? [],
    [...usedLocals].map(([fd, used]) => ({
      entries: font.privates[fd]?.entries ?? nothing,
      subrs: keepUsed(font.privates[fd]?.subrs, keepsAll ? undefined : used),
    })),
  );
}

const nothing = Buffer.alloc(0);

/** So many glyphs call nearly every subroutine: to find the few that none calls would cost more than they weigh. */
const scannedGlyphsMax = 3_000;

/**
 * The subroutines of an index, those not used left empty; undefined when none is used: FreeType refuses an index of
 * nothing. All of them where it is not known which are used.
 */
function keepUsed(index: CffIndex | undefined, used: ReadonlySet<number> | undefined): Buffer[] | undefined {
  if (index === undefined || index.count === 0 || used?.size === 0) return undefined;
  return Array.from({ length: index.count }, (_, at) => (used?.has(at) === false ? nothing : index.get(at)));
}

function assemble(
  charStrings: readonly Buffer[],
  fdIndices: readonly number[],
  globalSubrs: readonly Buffer[],
  privates: readonly { readonly entries: Buffer; readonly subrs: readonly Buffer[] | undefined }[],
): Buffer {
  const header = Buffer.from([1, 0, 4, 4]);
  const names = writeIndex([Buffer.from('Subset', 'latin1')]);
  const strings = writeIndex([Buffer.from('Adobe', 'latin1'), Buffer.from('Identity', 'latin1')]);
  const globals = writeIndex(globalSubrs);
  const charStringIndex = writeIndex(charStrings);
  const charset = writeCharset(charStrings.length);
  const fdSelect = Buffer.from([0, ...fdIndices]);
  // Offsets take five bytes whatever their value, so the length of the dictionary is known before they are.
  const topLength = writeIndex([topDict(charStrings.length, 0, 0, 0, 0)]).length;
  const charStringsAt = header.length + names.length + topLength + strings.length + globals.length;
  const charsetAt = charStringsAt + charStringIndex.length;
  const fdSelectAt = charsetAt + charset.length;
  const fdArrayAt = fdSelectAt + fdSelect.length;
  const fdArrayLength = writeIndex(privates.map(() => fontDict(0, 0))).length;
  const parts: Buffer[] = [];
  const dicts: Buffer[] = [];
  let at = fdArrayAt + fdArrayLength;
  for (const { entries, subrs } of privates) {
    // The subroutines follow their dictionary; their offset counts from its beginning.
    const length = entries.length + (subrs === undefined ? 0 : 6);
    const pointer =
      subrs === undefined ? nothing : Buffer.concat([integer(length), operator(cffOperators.subrs)]);
    const index = subrs === undefined ? nothing : writeIndex(subrs);
    dicts.push(fontDict(length, at));
    parts.push(entries, pointer, index);
    at += length + index.length;
  }
  const top = topDict(charStrings.length, charsetAt, charStringsAt, fdArrayAt, fdSelectAt);
  return Buffer.concat([
    header,
    names,
    writeIndex([top]),
    strings,
    globals,
    charStringIndex,
    charset,
    fdSelect,
    writeIndex(dicts),
    ...parts,
  ]);
}

/** SIDs of the first two strings that a font adds to the standard ones. */
const [adobeSid, identitySid] = [391, 392];

function topDict(
  count: number,
  charset: number,
  charStrings: number,
  fdArray: number,
  fdSelect: number,
): Buffer {
  return Buffer.concat([
    integer(adobeSid),
    integer(identitySid),
    integer(0),
    operator(cffOperators.ros),
    integer(count),
    operator(cffOperators.cidCount),
    integer(charset),
    operator(cffOperators.charset),
    integer(charStrings),
    operator(cffOperators.charStrings),
    integer(fdArray),
    operator(cffOperators.fdArray),
    integer(fdSelect),
    operator(cffOperators.fdSelect),
  ]);
}

function fontDict(privateLength: number, privateAt: number): Buffer {
  return Buffer.concat([integer(privateLength), integer(privateAt), operator(cffOperators.private)]);
}

function integer(value: number): Buffer {
  const bytes = Buffer.alloc(5);
  bytes.writeUInt8(29, 0);
  bytes.writeInt32BE(value, 1);
  return bytes;
}

function operator(code: number): Buffer {
  return code >= 1200 ? Buffer.from([12, code - 1200]) : Buffer.from([code]);
}

/** CIDs in the order of the glyphs: one range from 1, glyph 0 being implied. */
function writeCharset(count: number): Buffer {
  if (count < 2) return Buffer.from([0]);
  const bytes = Buffer.alloc(5);
  bytes.writeUInt8(2, 0);
  bytes.writeUInt16BE(1, 1);
  bytes.writeUInt16BE(count - 2, 3);
  return bytes;
}

function writeIndex(objects: readonly Buffer[]): Buffer {
  const count = Buffer.alloc(2);
  count.writeUInt16BE(objects.length);
  if (objects.length === 0) return count;
  const length = objects.reduce((sum, object) => sum + object.length, 0);
  const size = length + 1 < 0x100 ? 1 : length + 1 < 0x10000 ? 2 : length + 1 < 0x1000000 ? 3 : 4;
  const offsets = Buffer.alloc(1 + (objects.length + 1) * size);
  offsets.writeUInt8(size, 0);
  let offset = 1;
  offsets.writeUIntBE(offset, 1, size);
  objects.forEach((object, index) => {
    offset += object.length;
    offsets.writeUIntBE(offset, 1 + (index + 1) * size, size);
  });
  return Buffer.concat([count, offsets, ...objects.filter((object) => object.length > 0)]);
}
