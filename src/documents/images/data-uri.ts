import { ImageError } from '../../ports/image-source.ts';
import { assertImageBytes } from './image-bytes.ts';

const imageTypes: ReadonlySet<string> = new Set([
  'image/png',
  'image/jpeg',
  'image/jpg',
  'image/gif',
  'image/webp',
]);

/** Tells whether a reference is a `data:` URI, allowed or not. */
export function isDataUri(src: string): boolean {
  return /^\s*data:/i.test(src);
}

/**
 * Returns the bytes of a `data:` URI (RFC 2397) whose declared type is PNG, JPEG, GIF or WebP; whether the bytes are of
 * such a type is for the reader of the header to say.
 *
 * @throws ImageError `unsafe_image_ref` for another type, `spec_invalid` for broken or too many bytes.
 */
export function readDataUri(src: string): Buffer {
  const comma = src.indexOf(',');
  const [type, ...parameters] = src
    .slice(src.indexOf(':') + 1, comma < 0 ? src.length : comma)
    .toLowerCase()
    .split(';')
    .map((part) => part.trim());
  if (type === undefined || !imageTypes.has(type)) {
    throw new ImageError('unsafe_image_ref', 'a data: URI must declare a PNG, JPEG, GIF or WebP image');
  }
  if (comma < 0) throw new ImageError('spec_invalid', 'the data: URI of an image has no data');
  const data = src.slice(comma + 1);
  // No encoding takes more than three characters for a byte.
  assertImageBytes(data.length / 3);
  const bytes = parameters.at(-1) === 'base64' ? decodeBase64(data) : decodePercent(data);
  assertImageBytes(bytes.length);
  return bytes;
}

function decodeBase64(data: string): Buffer {
  const text = (data.includes('%') ? decodePercent(data).toString('latin1') : data).replace(
    /[\t\n\f\r ]+/g,
    '',
  );
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(text) || text.replace(/=+$/, '').length % 4 === 1) {
    throw new ImageError('spec_invalid', 'the data: URI of an image is not valid base64');
  }
  return Buffer.from(text, 'base64');
}

function decodePercent(data: string): Buffer {
  return Buffer.from(
    data.replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  );
}
