import { limits } from '../../domain/limits.ts';
import { internet, type Network } from '../../net/connect-public.ts';
import { ImageError, type ImageSource } from '../../ports/image-source.ts';
import { createLimiter } from '../limiter.ts';
import { isDataUri, readDataUri } from './data-uri.ts';
import { fetchImage } from './fetch-image.ts';
import { parseImageUrl } from './image-url.ts';
import { normaliseImage } from './normalise-image.ts';

export interface ImageSourceOptions {
  /** What answers for names and connections; default: the internet. */
  readonly network?: Network;
  /** Certificate authorities (PEM) in place of the platform's. */
  readonly ca?: string;
  /** Default: `limits.image.fetchTimeoutMs`. */
  readonly fetchTimeoutMs?: number;
}

/** Fetched pictures at once, each of which may hold 5 MB until it is decoded. */
const fetchesMax = 64;
/** Decoders at once, each of which may hold a few times 40 megapixels and a thread of the pool of libuv. */
const decodersMax = 2;

/** Returns the image source of the service. It holds no resources between calls. */
export function createImageSource(options: ImageSourceOptions = {}): ImageSource {
  const { network = internet, ca, fetchTimeoutMs = limits.image.fetchTimeoutMs } = options;
  const connection = { network, ...(ca === undefined ? {} : { ca }) };
  const fetches = createLimiter(fetchesMax);
  const decoders = createLimiter(decodersMax);

  async function fetched(url: URL, signal: AbortSignal | undefined): Promise<Buffer> {
    const deadline = AbortSignal.timeout(fetchTimeoutMs);
    try {
      return await fetchImage(url, connection, AbortSignal.any(signal ? [signal, deadline] : [deadline]));
    } catch (error) {
      signal?.throwIfAborted();
      if (error instanceof ImageError) throw error;
      const time = deadline.aborted ? ` within ${fetchTimeoutMs / 1_000} s` : '';
      throw new ImageError('spec_invalid', `an image could not be fetched${time}`, error);
    }
  }

  return {
    async resolve(src, signal) {
      const decode = (bytes: Buffer) => decoders.run(() => normaliseImage(bytes), signal);
      if (isDataUri(src)) return await decode(readDataUri(src));
      const url = parseImageUrl(src);
      return await fetches.run(async () => await decode(await fetched(url, signal)), signal);
    },
  };
}
