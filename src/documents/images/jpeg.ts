/** What the segments of a JPEG say of it (ITU-T T.81, JFIF, Exif). */
export interface JpegHeader {
  readonly format: 'jpeg';
  readonly width: number;
  readonly height: number;
  /** Bits of a sample. */
  readonly precision: number;
  /** 1 is gray, 3 is YCbCr or RGB, 4 is CMYK. */
  readonly components: number;
  /** The three components are red, green and blue, not YCbCr (Adobe's APP14 segment). */
  readonly isRgb: boolean;
  /** A colour profile (APP2 ICC_PROFILE). */
  readonly hasProfile: boolean;
  /** Exif orientation; 1 is upright. */
  readonly orientation: number;
  /** Passes over the picture; more than one in a progressive JPEG. */
  readonly scans: number;
}

const marker = {
  sof0: 0xc0,
  dht: 0xc4,
  jpg: 0xc8,
  dac: 0xcc,
  sof15: 0xcf,
  rst0: 0xd0,
  soi: 0xd8,
  eoi: 0xd9,
  sos: 0xda,
} as const;
const app = { jfif: 0xe0, exif: 0xe1, icc: 0xe2, adobe: 0xee, last: 0xef, comment: 0xfe } as const;

/** Real files have tens; a file of nothing but empty segments must not cost more to read than they do. */
const segmentsMax = 10_000;

interface Segment {
  readonly marker: number;
  /** From its marker to the next one, entropy-coded data included. */
  readonly start: number;
  readonly end: number;
  /** What follows the length field. */
  readonly payload: Buffer;
}

/** Reads the header of a JPEG without decoding it; undefined when it has none. Linear in its length. */
export function readJpegHeader(bytes: Buffer): JpegHeader | undefined {
  const segments = segmentsOf(bytes);
  const frame = segments.find((segment) => isFrame(segment.marker))?.payload;
  if (frame === undefined || frame.length < 6) return undefined;
  const adobe = segments.find(({ marker, payload }) => marker === app.adobe && payload.length >= 12)?.payload;
  const exif = segments.find(
    (segment) => segment.marker === app.exif && startsWith(segment, 'Exif\0\0'),
  )?.payload;
  return {
    format: 'jpeg',
    width: frame.readUInt16BE(3),
    height: frame.readUInt16BE(1),
    precision: frame.readUInt8(0),
    components: frame.readUInt8(5),
    isRgb: frame.readUInt8(5) === 3 && adobe?.readUInt8(11) === 0,
    hasProfile: segments.some(
      (segment) => segment.marker === app.icc && startsWith(segment, 'ICC_PROFILE\0'),
    ),
    orientation: exif === undefined ? 1 : exifOrientation(exif.subarray(6)),
    scans: segments.filter((segment) => segment.marker === marker.sos).length,
  };
}

/** Returns a JPEG without its metadata and without what follows its end; the picture stays bit by bit. */
export function stripJpeg(bytes: Buffer): Buffer {
  const kept = segmentsOf(bytes).filter(
    ({ marker }) => marker === app.jfif || marker === app.adobe || !isApplicationOrComment(marker),
  );
  return Buffer.concat([
    Buffer.from([0xff, marker.soi]),
    ...kept.map(({ start, end }) => bytes.subarray(start, end)),
  ]);
}

/** Every segment after the start of the image, to its end marker where it has one. */
function segmentsOf(bytes: Buffer): Segment[] {
  const segments: Segment[] = [];
  if (bytes.length < 4 || bytes.readUInt16BE(0) !== 0xffd8) return segments;
  for (let start = 2; bytes[start] === 0xff && segments.length < segmentsMax; ) {
    const kind = bytes[start + 1];
    if (kind === 0xff) {
      start += 1;
      continue;
    }
    const end = kind === undefined ? undefined : endOfSegment(bytes, start, kind);
    if (kind === undefined || end === undefined) break;
    segments.push({ marker: kind, start, end, payload: bytes.subarray(start + 4, end) });
    if (kind === marker.eoi) break;
    start = end;
  }
  return segments;
}

function endOfSegment(bytes: Buffer, start: number, kind: number): number | undefined {
  if (kind === marker.eoi) return start + 2;
  if (kind < marker.sof0 || start + 4 > bytes.length) return undefined;
  const end = start + 2 + bytes.readUInt16BE(start + 2);
  if (end > bytes.length) return undefined;
  return kind === marker.sos ? endOfScan(bytes, end) : end;
}

/** Where the next marker begins; stuffed zeros and restart markers belong to the scan (T.81, B.1.1.5). */
function endOfScan(bytes: Buffer, from: number): number {
  for (let at = from; at + 1 < bytes.length; at++) {
    if (bytes[at] !== 0xff) continue;
    const next = bytes[at + 1] as number;
    if (next !== 0 && next !== 0xff && (next & 0xf8) !== marker.rst0) return at;
  }
  return bytes.length;
}

function isFrame(kind: number): boolean {
  return (
    kind >= marker.sof0 &&
    kind <= marker.sof15 &&
    kind !== marker.dht &&
    kind !== marker.jpg &&
    kind !== marker.dac
  );
}

function isApplicationOrComment(kind: number): boolean {
  return (kind >= app.jfif && kind <= app.last) || kind === app.comment;
}

function startsWith(segment: Segment, text: string): boolean {
  return segment.payload.toString('latin1', 0, text.length) === text;
}

/** Reads tag 0x0112 of the first directory of a TIFF block (Exif 2.32, 4.6.4); 1 when it is not there. */
function exifOrientation(tiff: Buffer): number {
  const order = tiff.toString('latin1', 0, 2);
  if (tiff.length < 8 || (order !== 'II' && order !== 'MM')) return 1;
  const u16 = (at: number) => (order === 'II' ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at));
  const directory = order === 'II' ? tiff.readUInt32LE(4) : tiff.readUInt32BE(4);
  if (directory + 2 > tiff.length) return 1;
  for (let entry = 0; entry < u16(directory); entry++) {
    const at = directory + 2 + entry * 12;
    if (at + 12 > tiff.length) return 1;
    if (u16(at) === 0x0112) return u16(at + 8);
  }
  return 1;
}
