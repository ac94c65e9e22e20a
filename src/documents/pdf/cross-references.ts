import { deflateSync } from 'node:zlib';

export interface CrossReferences {
  /** `offsets[id - 1]`: where an object stands in the file; null for one in a compressed stream. */
  readonly offsets: readonly (number | null)[];
  /** By number: the `packedPlace` of an object in a compressed stream. */
  readonly packed: readonly (number | undefined)[];
  /** The length of the file so far. */
  readonly end: number;
  readonly rootId: number;
  readonly infoId: number;
  /** 32 hexadecimal digits. */
  readonly fileId: string;
}

/** Where an object stands in a compressed stream, as one number: thousands of them are held at once. */
export function packedPlace(stream: number, index: number): number {
  return stream * indexRange + index;
}

const indexRange = 0x10000;
const entryBytes = 7;

/** The end of a PDF file: its cross-reference stream (ISO 32000-1, 7.5.8) and where that stands. */
export function writeCrossReferences(references: CrossReferences): Buffer {
  const id = references.offsets.length + 1;
  const table = Buffer.alloc((id + 1) * entryBytes);
  table.writeUInt16BE(0xffff, 5);
  for (let object = 1; object <= id; object++) {
    const at = object * entryBytes;
    const place = references.packed[object];
    if (place === undefined) {
      table[at] = 1;
      table.writeUInt32BE(references.offsets[object - 1] ?? references.end, at + 1);
    } else {
      table[at] = 2;
      table.writeUInt32BE(Math.floor(place / indexRange), at + 1);
      table.writeUInt16BE(place % indexRange, at + 5);
    }
  }
  const data = deflateSync(differences(table));
  const dictionary = [
    `/Type /XRef /Size ${id + 1} /W [1 4 2]`,
    `/Root ${references.rootId} 0 R /Info ${references.infoId} 0 R`,
    `/ID [<${references.fileId}> <${references.fileId}>]`,
    `/Filter /FlateDecode /DecodeParms << /Predictor 12 /Columns ${entryBytes} >> /Length ${data.length}`,
  ].join(' ');
  return Buffer.concat([
    Buffer.from(`${id} 0 obj\n<< ${dictionary} >>\nstream\n`, 'latin1'),
    data,
    Buffer.from(`\nendstream\nendobj\nstartxref\n${references.end}\n%%EOF\n`, 'latin1'),
  ]);
}

/** Each entry as its difference from the one above (PNG's Up filter): a long table presses to almost nothing. */
function differences(table: Buffer): Buffer {
  const rows = table.length / entryBytes;
  const filtered = Buffer.alloc(rows * (entryBytes + 1));
  for (let row = 0; row < rows; row++) {
    filtered[row * (entryBytes + 1)] = 2;
    for (let column = 0; column < entryBytes; column++) {
      const at = row * entryBytes + column;
      const above = row === 0 ? 0 : (table[at - entryBytes] ?? 0);
      filtered[row * (entryBytes + 1) + 1 + column] = (table[at] ?? 0) - above;
    }
  }
  return filtered;
}
