import sharp, { type Sharp } from 'sharp';
import type { ImageAsset } from '../../domain/documents/common.ts';
import { limits } from '../../domain/limits.ts';
import { ImageError } from '../../ports/image-source.ts';
import { type ConvertedHeader, readGifHeader, readWebpHeader } from './gif-webp.ts';
import { type JpegHeader, readJpegHeader, stripJpeg } from './jpeg.ts';
import { type PngHeader, readPngHeader, stripPng } from './png.ts';

type Header = PngHeader | JpegHeader | ConvertedHeader;

/** Pixels along the longer edge: 240 to the inch across a slide, more than a page prints. */
const usefulEdge = 3_200;
/** Engines split transparency from colour pixel by pixel; this is a full-screen picture. */
const usefulAlphaPixels = 2_100_000;
/** Progressive JPEGs have about ten; each is a pass over every pixel. */
const scansMax = 100;
const decodeSeconds = 10;
const jpegQuality = 90;

const readableFormats = ['Png', 'Jpeg', 'Webp', 'Nsgif'].map((name) => `VipsForeignLoad${name}Buffer`);

sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({ operation: readableFormats });
sharp.cache(false);
sharp.concurrency(1);

/**
 * Turns the bytes of a PNG, JPEG, GIF (first frame) or WebP (first frame) into a picture as `ImageSource` promises it.
 * The header is read first; a picture that engines embed as it is keeps its pixels, stripped of metadata, any other is
 * converted: photographs to JPEG, the rest to PNG. Decoding runs in threads of the pool of libuv.
 *
 * @throws ImageError `spec_invalid` when the bytes are no such image, too large, or broken.
 */
export async function normaliseImage(bytes: Buffer): Promise<ImageAsset> {
  const header = readHeader(bytes);
  try {
    if (header.format === 'png' && isPlainPng(header)) return await keep('png', header, stripPng(bytes));
    if (header.format === 'jpeg' && isPlainJpeg(header)) return await keep('jpeg', header, stripJpeg(bytes));
    return await convert(bytes, header.format === 'jpeg' || ('isPhoto' in header && header.isPhoto));
  } catch (error) {
    throw new ImageError('spec_invalid', 'an image is broken and cannot be decoded', error);
  }
}

function readHeader(bytes: Buffer): Header {
  const header =
    readPngHeader(bytes) ?? readJpegHeader(bytes) ?? readGifHeader(bytes) ?? readWebpHeader(bytes);
  if (header === undefined || header.width === 0 || header.height === 0) {
    throw new ImageError('spec_invalid', 'an image is not a PNG, JPEG, GIF or WebP file');
  }
  if (header.width * header.height > limits.image.pixels) {
    throw new ImageError('spec_invalid', `an image may have at most ${limits.image.pixels / 1e6} megapixels`);
  }
  if (header.format === 'jpeg' && header.scans > scansMax) {
    throw new ImageError('spec_invalid', `a JPEG image may have at most ${scansMax} scans`);
  }
  return header;
}

function isPlainPng(header: PngHeader): boolean {
  return (
    header.bitDepth <= 8 && !header.hasAlpha && !header.isInterlaced && !header.hasProfile && isUseful(header)
  );
}

function isPlainJpeg(header: JpegHeader): boolean {
  return (
    header.precision === 8 &&
    (header.components === 1 || header.components === 3) &&
    !header.isRgb &&
    !header.hasProfile &&
    header.orientation === 1 &&
    isUseful(header)
  );
}

function isUseful(header: Header): boolean {
  return Math.max(header.width, header.height) <= usefulEdge;
}

async function keep(kind: ImageAsset['kind'], { width, height }: Header, bytes: Buffer): Promise<ImageAsset> {
  // Shrinking to one pixel decodes every row in little memory.
  await decoder(bytes).resize(1, 1, { fit: 'fill' }).raw().toBuffer();
  return { kind, width, height, bytes };
}

async function convert(bytes: Buffer, isPhoto: boolean): Promise<ImageAsset> {
  const upright = decoder(bytes).autoOrient().toColourspace('srgb');
  const { data, info } = await shrink(upright, usefulEdge).raw().toBuffer({ resolveWithObject: true });
  const { width, height, channels } = info;
  const pixels = sharp(data, { raw: { width, height, channels } });
  const isOpaque = channels !== 4 || isFull(await pixels.clone().extractChannel('alpha').raw().toBuffer());
  const scale = Math.sqrt(usefulAlphaPixels / (width * height));
  const shown = isOpaque ? pixels.removeAlpha() : shrink(pixels, Math.floor(Math.max(width, height) * scale));
  const encoded = await (isPhoto
    ? shown.jpeg({ quality: jpegQuality, chromaSubsampling: '4:4:4' })
    : shown.png({ compressionLevel: 6 })
  ).toBuffer({ resolveWithObject: true });
  return {
    kind: isPhoto ? 'jpeg' : 'png',
    width: encoded.info.width,
    height: encoded.info.height,
    bytes: encoded.data,
  };
}

function decoder(bytes: Buffer): Sharp {
  return sharp(bytes, { limitInputPixels: limits.image.pixels, failOn: 'error' }).timeout({
    seconds: decodeSeconds,
  });
}

function shrink(image: Sharp, edge: number): Sharp {
  return image.resize({ width: edge, height: edge, fit: 'inside', withoutEnlargement: true });
}

/** Tells whether every byte is 255. */
function isFull(bytes: Buffer): boolean {
  const full = Buffer.alloc(65_536, 0xff);
  for (let start = 0; start < bytes.length; start += full.length) {
    const part = bytes.subarray(start, start + full.length);
    if (!part.equals(full.subarray(0, part.length))) return false;
  }
  return true;
}
