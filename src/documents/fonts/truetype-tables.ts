/** The tables of a font file by their tags. */
export type Tables = ReadonlyMap<string, Buffer>;

/** Reads the table directory of a font file (OpenType 1.9, organization of an OpenType font). */
export function readTables(source: Buffer): Tables {
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

/** A table that every TrueType font has. */
export function tableOf(tables: Tables, tag: string): Buffer {
  const table = tables.get(tag);
  if (table === undefined) throw new Error(`the font has no ${tag} table`);
  return table;
}

/** Writes a TrueType font file of the given tables, which come in the order of their tags; absent ones are left out. */
export function assembleFont(
  entries: readonly (readonly [tag: string, data: Buffer | undefined])[],
): Uint8Array {
  const present = entries.flatMap(([tag, data]) =>
    data === undefined ? [] : [{ tag, data, padded: padToFour(data) }],
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

function padToFour(data: Buffer): Buffer {
  const rest = data.length % 4;
  return rest === 0 ? data : Buffer.concat([data, Buffer.alloc(4 - rest)]);
}

function checksum(padded: Buffer): number {
  let sum = 0;
  for (let at = 0; at < padded.length; at += 4) sum = (sum + padded.readUInt32BE(at)) >>> 0;
  return sum;
}
