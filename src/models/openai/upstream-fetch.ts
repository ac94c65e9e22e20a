import type { Readable } from 'node:stream';
import { Agent, type Dispatcher, request } from 'undici';

/** What the `openai` package and its caller read of a response. */
export interface UpstreamResponse {
  readonly status: number;
  readonly ok: boolean;
  readonly url: string;
  readonly headers: Headers;
  readonly body: Readable;
  text(): Promise<string>;
}

/** Most characters of an error's body that are read. */
const errorBodyBytesMax = 65_536;

export interface UpstreamConnections {
  /** A `fetch` for the `openai` package: undici's request, at a third of the cost of its fetch. */
  readonly fetch: typeof fetch;
  close(): Promise<void>;
}

/** Opens a pool of kept-alive connections with the given time limits. */
export function openConnections(timeouts: {
  readonly firstByteTimeoutMs: number;
  readonly idleTimeoutMs: number;
}): UpstreamConnections {
  const agent = new Agent({
    headersTimeout: timeouts.firstByteTimeoutMs,
    bodyTimeout: timeouts.idleTimeoutMs,
    connect: { timeout: 10_000 },
    keepAliveTimeout: 30_000,
  });

  async function upstreamFetch(url: string, init: RequestInit): Promise<UpstreamResponse> {
    const response = await request(url, {
      dispatcher: agent,
      method: (init.method ?? 'GET') as Dispatcher.HttpMethod,
      headers: Object.fromEntries(init.headers as Headers),
      body: (init.body as string | undefined) ?? null,
      signal: init.signal ?? null,
    });
    const { body } = response;
    return {
      status: response.statusCode,
      ok: response.statusCode >= 200 && response.statusCode < 300,
      url,
      headers: toHeaders(response.headers),
      body,
      text: () => readStart(body),
    };
  }

  return {
    fetch: upstreamFetch as unknown as typeof fetch,
    close: () => agent.destroy(),
  };
}

function toHeaders(fields: Readonly<Record<string, string | string[] | undefined>>): Headers {
  const headers = new Headers();
  for (const [name, value] of Object.entries(fields)) {
    for (const one of Array.isArray(value) ? value : [value]) {
      if (one !== undefined) headers.append(name, one);
    }
  }
  return headers;
}

async function readStart(body: Readable): Promise<string> {
  let text = '';
  body.setEncoding('utf8');
  for await (const chunk of body) {
    text += chunk;
    if (text.length >= errorBodyBytesMax) break;
  }
  return text;
}
