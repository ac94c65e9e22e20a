import type { ImageAsset } from '../domain/documents/common.ts';
import { type EngineName, ServiceError, specInvalid } from '../domain/errors.ts';

/**
 * Turns the image references of specs into pictures that every engine embeds.
 *
 * Invariants:
 * - Only inline `data:` URIs of an allowed image type and `https:` URLs of public hosts are resolved; a path or any
 *   other address never opens a file or a connection.
 * - A host is judged by its name and by every address it resolves to, anew at each redirect, and the connection goes to
 *   an address that was judged.
 * - Bytes, pixels, redirects and time stay within `limits.image`; the header is read before anything is decoded.
 * - The picture that comes back has been decoded once, holds no metadata, and is upright, 8 bits a channel, without
 *   interlacing, gray or sRGB, and no larger than a page or slide can show. The same bytes give the same picture.
 * - Any number of calls may run at once; what they hold of memory and threads is bounded.
 */
export interface ImageSource {
  /**
   * @throws ImageError when the reference is at fault.
   * @throws the reason of `signal` when the caller gives up.
   */
  resolve(src: string, signal?: AbortSignal): Promise<ImageAsset>;
}

/** A reference that gives no picture. The message is for the caller: no address it resolved to, no internals. */
export class ImageError extends Error {
  /** `unsafe_image_ref`: the reference is not allowed; `spec_invalid`: it is, but leads to no usable image. */
  readonly slug: 'unsafe_image_ref' | 'spec_invalid';

  constructor(slug: ImageError['slug'], message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'ImageError';
    this.slug = slug;
  }
}

/**
 * Returns the failure that a caller of `engine` meets for the reference at `pointer` (RFC 6901) of its spec. What is no
 * ImageError comes back as it is.
 */
export function imageFailure(error: unknown, engine: EngineName, pointer: string): unknown {
  if (!(error instanceof ImageError)) return error;
  if (error.slug === 'spec_invalid') return specInvalid(engine, error.message, pointer, error);
  return new ServiceError('unsafe_image_ref', {
    detail: error.message,
    violations: [{ pointer, detail: error.message }],
    cause: error,
  });
}
