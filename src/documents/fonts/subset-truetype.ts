/**
 * Builds a TrueType font of the chosen glyphs, in their order, from a full one.
 *
 * A glyph may stand in the list twice, so that two characters of one shape keep their own numbers. Parts of
 * composite glyphs are added behind. Holds the tables that a PDF needs (ISO 32000-1, 9.9) and no others.
 */
export function subsetTrueType(source: Buffer, chosenGlyphs: readonly number[]): Uint8Array {
  const tables = readTables(source);
  const head = Buffer.from(tableOf(tables, 'head'));
  const maxp = Buffer.from(tableOf(tables, 'maxp'));
  const hhea = Buffer.from(tableOf(tables, 'hhea'));
  const outlineOf = outlineReader(tables, head.readInt16BE(50));
  const outlines = collectOutlines(chosenGlyphs, outlineOf);
  const glyphCount = outlines.length;

  const loca = Buffer.alloc((glyphCount + 1) * 4);
  const parts: Buffer[] = [];
  let length = 0;
  outlines.forEach(({ data }, index) => {
    loca.writeUInt32BE(length, index * 4);
    const padded = pad(data);
    parts.push(padded);
    length += padded.length;
  });
  loca.writeUInt32BE(length, glyphCount * 4);

  head.writeUInt32BE(0, 8);
  head.writeInt16BE(1, 50);
  maxp.writeUInt16BE(glyphCount, 4);
  const metrics = readMetrics(tables, hhea.readUInt16BE(34));
  hhea.writeUInt16BE(glyphCount, 34);
  const hmtx = Buffer.alloc(glyphCount * 4);
  outlines.forEach(({ glyph }, index) => {
    const [advance, bearing] = metrics(glyph);
    hmtx.writeUInt16BE(advance, index * 4);
    hmtx.writeInt16BE(bearing, index * 4 + 2);
  });

  return assemble([
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

type Tables = ReadonlyMap<string, Buffer>;

interface Outline {
  /** Its index in the full font. */
  readonly glyph: number;
  readonly data: Buffer;
}

function readTables(source: Buffer): Tables {
  const tables = new Map<string, Buffer>();
  const count = source.readUInt16BE(4);
  for (let index = 0; index < count; index++) {
    const record = 12 + index * 16;
    const offset = source.readUInt32BE(record + 8);
    const length = source.readUInt32BE(record + 12);
    tables.set(source.toString('latin1', record, record + 4), source.subarray(offset, offset + length));
  }
  return tables;
}

function tableOf(tables: Tables, tag: string): Buffer {
  const table = tables.get(tag);
  if (table === undefined) throw new Error(`the font has no ${tag} table`);
  return table;
}

function outlineReader(tables: Tables, locationFormat: number): (glyph: number) => Buffer {
  const loca = tableOf(tables, 'loca');
  const glyf = tableOf(tables, 'glyf');
  const offsetOf = (glyph: number) =>
    locationFormat === 0 ? loca.readUInt16BE(glyph * 2) * 2 : loca.readUInt32BE(glyph * 4);
  return (glyph) => glyf.subarray(offsetOf(glyph), offsetOf(glyph + 1));
}

function readMetrics(
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
function collectOutlines(chosen: readonly number[], outlineOf: (glyph: number) => Buffer): Outline[] {
  const glyphs = [...chosen];
  const placeOf = new Map<number, number>();
  chosen.forEach((glyph, index) => {
    if (!placeOf.has(glyph)) placeOf.set(glyph, index);
  });
  const outlines: Outline[] = [];
  for (let index = 0; index < glyphs.length; index++) {
    const glyph = glyphs[index] ?? 0;
    let data = outlineOf(glyph);
    if (data.length > 10 && data.readInt16BE(0) < 0) {
      data = Buffer.from(data);
      for (const at of partOffsets(data)) {
        const part = data.readUInt16BE(at);
        let place = placeOf.get(part);
        if (place === undefined) {
          place = glyphs.length;
          placeOf.set(part, place);
          glyphs.push(part);
        }
        data.writeUInt16BE(place, at);
      }
    }
    outlines.push({ glyph, data });
  }
  return outlines;
}

const componentFlags = {
  wordArguments: 0x1,
  scale: 0x8,
  moreComponents: 0x20,
  twoScales: 0x40,
  matrix: 0x80,
};

/** Where a composite glyph names its parts (OpenType 1.9, glyf). */
function partOffsets(data: Buffer): number[] {
  const offsets: number[] = [];
  let at = 10;
  let flags = componentFlags.moreComponents;
  while ((flags & componentFlags.moreComponents) !== 0) {
    flags = data.readUInt16BE(at);
    offsets.push(at + 2);
    at += 4 + ((flags & componentFlags.wordArguments) !== 0 ? 4 : 2);
    if ((flags & componentFlags.scale) !== 0) at += 2;
    else if ((flags & componentFlags.twoScales) !== 0) at += 4;
    else if ((flags & componentFlags.matrix) !== 0) at += 8;
  }
  return offsets;
}

function pad(data: Buffer): Buffer {
  const rest = data.length % 4;
  return rest === 0 ? data : Buffer.concat([data, Buffer.alloc(4 - rest)]);
}

function assemble(entries: readonly (readonly [tag: string, data: Buffer | undefined])[]): Uint8Array {
  const present = entries.flatMap(([tag, data]) =>
    data === undefined ? [] : [{ tag, data, padded: pad(data) }],
  );
  const power = Math.floor(Math.log2(present.length));
  const header = Buffer.alloc(12 + present.length * 16);
  header.writeUInt32BE(0x00010000, 0);
  header.writeUInt16BE(present.length, 4);
  header.writeUInt16BE(2 ** power * 16, 6);
  header.writeUInt16BE(power, 8);
  header.writeUInt16BE((present.length - 2 ** power) * 16, 10);
  let offset = header.length;
  present.forEach(({ tag, data, padded }, index) => {
    const record = 12 + index * 16;
    header.write(tag, record, 'latin1');
    header.writeUInt32BE(checksum(padded), record + 4);
    header.writeUInt32BE(offset, record + 8);
    header.writeUInt32BE(data.length, record + 12);
    offset += padded.length;
  });
  return Buffer.concat([header, ...present.map(({ padded }) => padded)]);
}

function checksum(padded: Buffer): number {
  let sum = 0;
  for (let at = 0; at < padded.length; at += 4) sum = (sum + padded.readUInt32BE(at)) >>> 0;
  return sum;
}
