/** What the first bytes of a GIF or WebP say of it; both are always converted. */
export interface ConvertedHeader {
  readonly format: 'gif' | 'webp';
  readonly width: number;
  readonly height: number;
  /** Lossily compressed without transparency, as photographs are. */
  readonly isPhoto: boolean;
}

/** Reads the logical screen of a GIF (GIF89a, section 18); undefined when it does not begin as one. */
export function readGifHeader(bytes: Buffer): ConvertedHeader | undefined {
  if (!/^GIF8[79]a$/.test(bytes.toString('latin1', 0, 6)) || bytes.length < 10) return undefined;
  return { format: 'gif', width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8), isPhoto: false };
}

/** Reads the canvas of a WebP (RFC 9649, sections 2.5 to 2.7); undefined when it does not begin as one. */
export function readWebpHeader(bytes: Buffer): ConvertedHeader | undefined {
  const isRiff = bytes.toString('latin1', 0, 4) === 'RIFF' && bytes.toString('latin1', 8, 12) === 'WEBP';
  if (!isRiff || bytes.length < 30) return undefined;
  switch (bytes.toString('latin1', 12, 16)) {
    case 'VP8 ':
      return webp(bytes.readUInt16LE(26) & 0x3fff, bytes.readUInt16LE(28) & 0x3fff, true);
    case 'VP8L': {
      const packed = bytes.readUInt32LE(21);
      return webp((packed & 0x3fff) + 1, ((packed >>> 14) & 0x3fff) + 1, false);
    }
    case 'VP8X': {
      const hasAlphaOrFrames = (bytes.readUInt8(20) & 0b0001_0010) !== 0;
      const isLossy = bytes.includes('VP8 ', 30, 'latin1') && !hasAlphaOrFrames;
      return webp(bytes.readUIntLE(24, 3) + 1, bytes.readUIntLE(27, 3) + 1, isLossy);
    }
    default:
      return undefined;
  }
}

function webp(width: number, height: number, isPhoto: boolean): ConvertedHeader {
  return { format: 'webp', width, height, isPhoto };
}
