import { limits } from '../../domain/limits.ts';
import { ImageError } from '../../ports/image-source.ts';

/** @throws ImageError `spec_invalid` when an encoded image is over 5 MB. */
export function assertImageBytes(bytes: number): void {
  if (bytes > limits.image.bytes) {
    throw new ImageError('spec_invalid', `an image may have at most ${limits.image.bytes / 1_048_576} MB`);
  }
}
