import type { ImageAsset } from '../../domain/documents/common.ts';

/**
 * The pictures of a report with transparent ones laid on white, which is what they stand on here: without
 * transparency a PNG goes into a PDF as it is, with it each pixel would have to be parted from its opacity.
 */
export async function flattenImages(
  images: ReadonlyMap<string, ImageAsset>,
): Promise<ReadonlyMap<string, ImageAsset>> {
  const entries = await Promise.all(
    [...images].map(
      async ([key, image]) => [key, isTransparent(image) ? await flatten(image) : image] as const,
    ),
  );
  return new Map(entries);
}

async function flatten(image: ImageAsset): Promise<ImageAsset> {
  // Loaded only by reports that need it: it takes longer than drawing most of them.
  const { default: sharp } = await import('sharp');
  const bytes = await sharp(image.bytes)
    .flatten({ background: '#ffffff' })
    .png({ compressionLevel: 4, adaptiveFiltering: false, palette: false })
    .toBuffer();
  return { ...image, bytes };
}

/** Colour types of PNG with an alpha channel (W3C PNG, third edition, 11.2.1). */
const alphaTypes: readonly (number | undefined)[] = [4, 6];

function isTransparent({ kind, bytes }: ImageAsset): boolean {
  if (kind !== 'png') return false;
  return alphaTypes.includes(bytes[25]) || hasTransparencyChunk(bytes);
}

function hasTransparencyChunk(bytes: Uint8Array): boolean {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = 8; at + 8 <= view.length; at += 12 + view.readUInt32BE(at)) {
    const name = view.toString('latin1', at + 4, at + 8);
    if (name === 'tRNS') return true;
    if (name === 'IDAT') return false;
  }
  return false;
}
