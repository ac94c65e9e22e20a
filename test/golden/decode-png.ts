import { inflateSync } from 'node:zlib';

/** A picture of 8-bit red, green and blue, row after row. */
export interface Picture {
  readonly width: number;
  readonly height: number;
  readonly rgb: Uint8Array;
}

/** Channels of a pixel by the colour type of IHDR; 16-bit and interlaced files are not read. */
const channelsByType: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };

/** Reads a PNG file (W3C PNG, third edition); transparent pixels stand on white. */
export function decodePng(file: Uint8Array): Picture {
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.byteLength);
  const width = bytes.readUInt32BE(16);
  const height = bytes.readUInt32BE(20);
  const [depth = 0, type = 0, , , interlace = 0] = bytes.subarray(24, 29);
  const channels = channelsByType[type];
  if (channels === undefined || interlace !== 0 || depth > 8)
    throw new Error('a PNG of this kind is not read');
  const data: Buffer[] = [];
  let palette: Buffer = Buffer.alloc(0);
  for (let at = 8; at < bytes.length; at += 12 + bytes.readUInt32BE(at)) {
    const name = bytes.toString('latin1', at + 4, at + 8);
    const chunk = bytes.subarray(at + 8, at + 8 + bytes.readUInt32BE(at));
    if (name === 'IDAT') data.push(chunk);
    if (name === 'PLTE') palette = chunk;
  }
  const rowBytes = Math.ceil((width * channels * depth) / 8);
  const rows = unfilter(
    inflateSync(Buffer.concat(data)),
    rowBytes,
    height,
    Math.max(1, (channels * depth) >> 3),
  );
  const rgb = new Uint8Array(width * height * 3);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const sample = (channel: number): number =>
        readSample(rows, y * rowBytes, x * channels + channel, depth);
      const at = (y * width + x) * 3;
      const gray = channels < 3;
      const alpha = channels === 2 || channels === 4 ? sample(channels - 1) : 255;
      for (let color = 0; color < 3; color++) {
        const value =
          type === 3
            ? (palette[sample(0) * 3 + color] ?? 0)
            : gray
              ? Math.round((sample(0) * 255) / (2 ** depth - 1))
              : sample(color);
        rgb[at + color] = Math.round((value * alpha + 255 * (255 - alpha)) / 255);
      }
    }
  }
  return { width, height, rgb };
}

function readSample(rows: Buffer, rowStart: number, index: number, depth: number): number {
  if (depth === 8) return rows[rowStart + index] ?? 0;
  const byte = rows[rowStart + ((index * depth) >> 3)] ?? 0;
  return (byte >> (8 - depth - ((index * depth) & 7))) & (2 ** depth - 1);
}

/** Undoes the filters of the rows (clause 9). */
function unfilter(data: Buffer, rowBytes: number, height: number, pixelBytes: number): Buffer {
  const rows = Buffer.alloc(rowBytes * height);
  for (let y = 0; y < height; y++) {
    const filter = data[y * (rowBytes + 1)] ?? 0;
    for (let x = 0; x < rowBytes; x++) {
      const at = y * rowBytes + x;
      const raw = data[y * (rowBytes + 1) + 1 + x] ?? 0;
      const left = x >= pixelBytes ? (rows[at - pixelBytes] ?? 0) : 0;
      const up = y > 0 ? (rows[at - rowBytes] ?? 0) : 0;
      const upLeft = y > 0 && x >= pixelBytes ? (rows[at - rowBytes - pixelBytes] ?? 0) : 0;
      rows[at] = raw + predict(filter, left, up, upLeft);
    }
  }
  return rows;
}

function predict(filter: number, left: number, up: number, upLeft: number): number {
  if (filter === 1) return left;
  if (filter === 2) return up;
  if (filter === 3) return (left + up) >> 1;
  if (filter !== 4) return 0;
  const [toLeft, toUp, toUpLeft] = [up - upLeft, left - upLeft, left + up - 2 * upLeft].map(Math.abs) as [
    number,
    number,
    number,
  ];
  if (toLeft <= toUp && toLeft <= toUpLeft) return left;
  return toUp <= toUpLeft ? up : upLeft;
}
