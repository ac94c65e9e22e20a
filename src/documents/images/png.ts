/** What the chunks of a PNG say of it (ISO/IEC 15948). */
export interface PngHeader {
  readonly format: 'png';
  readonly width: number;
  readonly height: number;
  readonly bitDepth: number;
  /** An alpha channel or a transparent colour (tRNS). */
  readonly hasAlpha: boolean;
  readonly isInterlaced: boolean;
  /** A colour profile (iCCP). */
  readonly hasProfile: boolean;
}

const pngSignature = Buffer.from('89504e470d0a1a0a', 'hex');

const colorTypesWithAlpha: ReadonlySet<number> = new Set([4, 6]);
const chunksThatShow: ReadonlySet<string> = new Set(['IHDR', 'PLTE', 'tRNS', 'IDAT', 'IEND']);

/** Real files have up to thousands; a file of nothing but empty chunks must not cost more to read than they do. */
const chunksMax = 20_000;

interface Chunk {
  readonly type: string;
  /** From its length field to after its checksum. */
  readonly start: number;
  readonly end: number;
}

/** Reads the header of a PNG without decoding it; undefined when it does not begin as one. Linear in its length. */
export function readPngHeader(bytes: Buffer): PngHeader | undefined {
  if (!bytes.subarray(0, 8).equals(pngSignature) || bytes.length < 33) return undefined;
  if (bytes.toString('latin1', 12, 16) !== 'IHDR') return undefined;
  const types = new Set(chunksOf(bytes).map((chunk) => chunk.type));
  return {
    format: 'png',
    width: bytes.readUInt32BE(16),
    height: bytes.readUInt32BE(20),
    bitDepth: bytes.readUInt8(24),
    hasAlpha: colorTypesWithAlpha.has(bytes.readUInt8(25)) || types.has('tRNS'),
    isInterlaced: bytes.readUInt8(28) !== 0,
    hasProfile: types.has('iCCP'),
  };
}

/** Returns a PNG with only those chunks that make its still picture: no text, no time, no animation, nothing after the end. */
export function stripPng(bytes: Buffer): Buffer {
  const kept = chunksOf(bytes).filter((chunk) => chunksThatShow.has(chunk.type));
  return Buffer.concat([pngSignature, ...kept.map(({ start, end }) => bytes.subarray(start, end))]);
}

function chunksOf(bytes: Buffer): Chunk[] {
  const chunks: Chunk[] = [];
  for (let start = 8; start + 12 <= bytes.length && chunks.length < chunksMax; ) {
    const end = start + 12 + bytes.readUInt32BE(start);
    const type = bytes.toString('latin1', start + 4, start + 8);
    if (end > bytes.length) break;
    chunks.push({ type, start, end });
    if (type === 'IEND') break;
    start = end;
  }
  return chunks;
}
