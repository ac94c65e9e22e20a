import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { limits } from '../../domain/limits.ts';
import { type ConnectOptions, connectPublic, PublicConnectionError } from '../../net/connect-public.ts';
import { ImageError } from '../../ports/image-source.ts';
import { assertImageBytes } from './image-bytes.ts';
import { hostOf, parseImageUrl } from './image-url.ts';

const redirectStatuses: ReadonlySet<number | undefined> = new Set([301, 302, 303, 307, 308]);

/**
 * Returns the body with which the URL of a picture answers, whatever its declared type: at most 5 MB, counted
 * while it arrives and never decompressed, over at most 3 redirects, each checked like the first address. No proxy, no
 * cookie, no connection kept.
 *
 * @param start a URL of `parseImageUrl`.
 * @param signal bounds the whole fetch.
 * @throws ImageError `unsafe_image_ref` when an address is not allowed, `spec_invalid` when there is nothing to fetch.
 */
export async function fetchImage(start: URL, options: ConnectOptions, signal: AbortSignal): Promise<Buffer> {
  let url = start;
  for (let redirects = 0; redirects <= limits.image.redirects; redirects++) {
    const response = await get(url, options, signal);
    try {
      if (!redirectStatuses.has(response.statusCode)) return await readBody(response);
      if (response.headers.location === undefined) break;
      url = parseImageUrl(response.headers.location, url);
    } finally {
      response.destroy();
    }
  }
  throw new ImageError(
    'spec_invalid',
    'an image could not be fetched: too many redirects, or one that leads nowhere',
  );
}

async function get(url: URL, options: ConnectOptions, signal: AbortSignal): Promise<IncomingMessage> {
  const port = Number(url.port || 443);
  const socket = await connectPublic(hostOf(url), port, options, signal).catch(refuseHost);
  try {
    const outgoing = request({
      createConnection: () => socket,
      path: url.pathname + url.search,
      headers: {
        host: url.host,
        accept: 'image/png, image/jpeg, image/gif, image/webp',
        'accept-encoding': 'identity',
        'user-agent': 'Mozilla/5.0 (compatible; document image fetcher)',
      },
      maxHeaderSize: 16_384,
      signal,
    });
    // A failure after the answer began reaches the reader of the body; the request's own event needs a listener still.
    outgoing.on('error', () => undefined).end();
    const [response] = await once(outgoing, 'response', { signal });
    return response;
  } catch (error) {
    socket.destroy();
    throw error;
  }
}

const hostFailures = {
  not_public: ['unsafe_image_ref', 'the host of an image URL must be public'],
  not_found: ['spec_invalid', 'the host of an image could not be found'],
  unreachable: ['spec_invalid', 'the host of an image could not be reached'],
} as const;

function refuseHost(error: unknown): never {
  if (!(error instanceof PublicConnectionError)) throw error;
  const [slug, message] = hostFailures[error.reason];
  throw new ImageError(slug, message, error);
}

async function readBody(response: IncomingMessage): Promise<Buffer> {
  if (response.statusCode !== 200) {
    throw new ImageError(
      'spec_invalid',
      `an image could not be fetched: its server answered ${response.statusCode}`,
    );
  }
  const chunks: Buffer[] = [];
  let bytes = 0;
  // A declared length over the limit needs no reading at all.
  assertImageBytes(Number(response.headers['content-length'] ?? 0));
  for await (const chunk of response as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    assertImageBytes(bytes);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, bytes);
}
