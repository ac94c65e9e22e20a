import { constants, crc32, deflateRawSync, inflateRawSync } from 'node:zlib';

/** The parts of a package by name, in archive order. */
export type Parts = Map<string, Uint8Array>;

const localHeader = 0x04034b50;
const centralHeader = 0x02014b50;
const endOfCentralDirectory = 0x06054b50;
const utf8Flag = 0x0800;
const deflated = 8;
const stored = 0;
/** 1980-01-01 00:00, the earliest time that the format can hold: equal parts give equal bytes. */
const fixedDosDate = 0x0021;

export interface ZipOptions {
  /** zlib level, 1 (fast) to 9 (small). */
  readonly level?: number;
}

/**
 * Reads a ZIP archive whole. Serves the packages that the engines' libraries write: no ZIP64, no encryption.
 *
 * Source: PKWARE APPNOTE 6.3.10, sections 4.3.7, 4.3.12 and 4.3.16.
 */
export function readZip(archive: Uint8Array): Parts {
  const buffer = Buffer.from(archive.buffer, archive.byteOffset, archive.byteLength);
  const parts: Parts = new Map();
  const end = buffer.lastIndexOf(Buffer.from([0x50, 0x4b, 0x05, 0x06]));
  if (end < 0) throw new Error('zip: no end of central directory');
  const count = buffer.readUInt16LE(end + 10);
  let entry = buffer.readUInt32LE(end + 16);
  for (let index = 0; index < count; index++) {
    if (buffer.readUInt32LE(entry) !== centralHeader) throw new Error('zip: bad central directory');
    const method = buffer.readUInt16LE(entry + 10);
    const compressedSize = buffer.readUInt32LE(entry + 20);
    const nameLength = buffer.readUInt16LE(entry + 28);
    const extraLength = buffer.readUInt16LE(entry + 30);
    const commentLength = buffer.readUInt16LE(entry + 32);
    const local = buffer.readUInt32LE(entry + 42);
    const name = buffer.toString('utf8', entry + 46, entry + 46 + nameLength);
    const start = local + 30 + buffer.readUInt16LE(local + 26) + buffer.readUInt16LE(local + 28);
    const data = buffer.subarray(start, start + compressedSize);
    if (!name.endsWith('/')) parts.set(name, method === stored ? data : inflateRawSync(data));
    entry += 46 + nameLength + extraLength + commentLength;
  }
  return parts;
}

/** Compressed by themselves: a second time costs much and gains nothing. */
const packedFormats = /\.(png|jpe?g|xlsx)$/;

/** Writes a ZIP archive whose bytes depend on the parts, their order and the level only. */
export function writeZip(
  parts: Iterable<readonly [string, Uint8Array | string]>,
  options: ZipOptions = {},
): Uint8Array {
  const chunks: Uint8Array[] = [];
  const directory: Uint8Array[] = [];
  let offset = 0;
  let count = 0;
  for (const [name, content] of parts) {
    const data = typeof content === 'string' ? Buffer.from(content, 'utf8') : content;
    const packed = packedFormats.test(name)
      ? data
      : deflateRawSync(data, { level: options.level ?? constants.Z_DEFAULT_COMPRESSION });
    const useStored = packed.byteLength >= data.byteLength;
    const body = useStored ? data : packed;
    const encodedName = Buffer.from(name, 'utf8');
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(utf8Flag, 2);
    common.writeUInt16LE(useStored ? stored : deflated, 4);
    common.writeUInt16LE(fixedDosDate, 8);
    common.writeUInt32LE(crc32(data), 10);
    common.writeUInt32LE(body.byteLength, 14);
    common.writeUInt32LE(data.byteLength, 18);
    common.writeUInt16LE(encodedName.byteLength, 22);
    const local = Buffer.alloc(4);
    local.writeUInt32LE(localHeader, 0);
    chunks.push(local, common, encodedName, body);
    const central = Buffer.alloc(46);
    central.writeUInt32LE(centralHeader, 0);
    central.writeUInt16LE(20, 4);
    common.copy(central, 6);
    central.writeUInt32LE(offset, 42);
    directory.push(central, encodedName);
    offset += 30 + encodedName.byteLength + body.byteLength;
    count++;
  }
  const directoryBytes = directory.reduce((sum, chunk) => sum + chunk.byteLength, 0);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(endOfCentralDirectory, 0);
  end.writeUInt16LE(count, 8);
  end.writeUInt16LE(count, 10);
  end.writeUInt32LE(directoryBytes, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...chunks, ...directory, end]);
}
