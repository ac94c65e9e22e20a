import { Agent, type Dispatcher } from 'undici';
import { createUpstreamBody, type UpstreamBody, type UpstreamBodyWriter } from './upstream-body.ts';

/** What the `openai` package and its caller read of a response. */
export interface UpstreamResponse {
  readonly status: number;
  readonly ok: boolean;
  readonly url: string;
  /** By lower-case name. */
  readonly headers: ReadonlyMap<string, string>;
  readonly body: UpstreamBody;
  text(): Promise<string>;
}

export interface UpstreamConnections {
  /** A `fetch` for the `openai` package over undici's dispatcher: no stream objects between socket and reader. */
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

  // One client mostly sends the same headers.
  let sent: { readonly fields?: Headers; readonly record: Record<string, string> } = { record: {} };

  function upstreamFetch(url: string, init: RequestInit): Promise<UpstreamResponse> {
    const { origin, pathname, search } = new URL(url);
    const fields = init.headers as Headers;
    if (fields !== sent.fields) sent = { fields, record: Object.fromEntries(fields) };
    return new Promise((resolve, reject) => {
      agent.dispatch(
        {
          origin,
          path: pathname + search,
          method: (init.method ?? 'GET') as Dispatcher.HttpMethod,
          headers: sent.record,
          body: (init.body as string | undefined) ?? null,
        },
        receiveResponse(url, init.signal ?? undefined, resolve, reject),
      );
    });
  }

  return {
    fetch: upstreamFetch as unknown as typeof fetch,
    close: () => agent.destroy(),
  };
}

function receiveResponse(
  url: string,
  signal: AbortSignal | undefined,
  resolve: (response: UpstreamResponse) => void,
  reject: (error: unknown) => void,
): Dispatcher.DispatchHandler {
  let stopListening = () => {};
  let writer: UpstreamBodyWriter | undefined;
  return {
    onRequestStart(controller) {
      if (signal === undefined) return;
      const abort = () => controller.abort(signal.reason);
      if (signal.aborted) return abort();
      signal.addEventListener('abort', abort, { once: true });
      stopListening = () => signal.removeEventListener('abort', abort);
    },
    onResponseStart(controller, status, headers) {
      if (status < 200) return;
      writer = createUpstreamBody(controller);
      const { body } = writer;
      const ok = status >= 200 && status < 300;
      resolve({ status, ok, url, headers: toHeaders(headers), body, text: () => readStart(body) });
    },
    onResponseData(_controller, chunk) {
      writer?.push(chunk);
    },
    onResponseEnd() {
      stopListening();
      writer?.end();
    },
    onResponseError(_controller, error) {
      stopListening();
      if (writer === undefined) reject(error);
      else writer.fail(error);
    },
  };
}

function toHeaders(
  fields: Readonly<Record<string, string | string[] | undefined>>,
): ReadonlyMap<string, string> {
  const headers = new Map<string, string>();
  for (const [name, value] of Object.entries(fields)) {
    if (value !== undefined) headers.set(name, Array.isArray(value) ? value.join(', ') : value);
  }
  return headers;
}

/** Most characters of a whole body that are read: of a list of models, or of an error. */
const wholeCharsMax = 1_048_576;

async function readStart(body: UpstreamBody): Promise<string> {
  let whole = '';
  for (let text = await body.read(); text !== undefined; text = await body.read()) {
    whole += text;
    if (whole.length > wholeCharsMax) {
      body.leave(0);
      break;
    }
  }
  return whole;
}
