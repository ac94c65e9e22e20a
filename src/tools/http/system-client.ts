import { setTimeout as sleep } from 'node:timers/promises';
import { Agent, type Dispatcher, request } from 'undici';
import { limits } from '../../domain/limits.ts';
import { type ConnectOptions, connectPublic, PublicConnectionError } from '../../net/connect-public.ts';
import type { Clock } from '../../ports/clock.ts';
import { ToolFailure } from '../../ports/tool.ts';
import { type CircuitBreaker, createCircuitBreaker } from './circuit-breaker.ts';

/** A call of a system's REST interface. */
export interface SystemRequest {
  readonly method: 'GET' | 'POST';
  /** https. */
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface SystemResponse {
  readonly status: number;
  /** Seconds that the system asks to wait; null: it does not say. */
  readonly retryAfterSeconds: number | null;
  /** What the JSON of the answer holds; undefined: it is none. */
  readonly body: unknown;
}

/**
 * Calls the systems of organizations over https.
 *
 * Invariants:
 * - Addresses are checked as those of images are; private ones only where the operator allows their host by name.
 * - No redirect is followed, no cookie kept, no proxy used; an answer of more than 4 MB is not read.
 * - A call ends within 15 s. A 429 is waited for once, for at most 10 s; nothing else is tried again.
 * - A host that failed 5 times in a row (no connection, no answer, 5xx) is left alone for 30 s.
 * - What it throws, besides the signal's reason, is a ToolFailure that names the host and nothing else of the call.
 */
export interface SystemClient {
  send(request: SystemRequest, signal: AbortSignal): Promise<SystemResponse>;
  close(): Promise<void>;
}

export interface SystemClientOptions extends ConnectOptions {
  readonly clock: Clock;
  /** Default: as time goes. */
  readonly wait?: (ms: number, signal: AbortSignal) => Promise<unknown>;
}

export function createSystemClient(options: SystemClientOptions): SystemClient {
  const { clock, wait = (ms, signal) => sleep(ms, undefined, { signal }) } = options;
  const breaker = createCircuitBreaker(clock);
  const agent = openAgent(options);

  async function send(outgoing: SystemRequest, signal: AbortSignal): Promise<SystemResponse> {
    const first = await guarded(breaker, agent, outgoing, signal);
    if (first.status !== 429) return first;
    const waitMs = (first.retryAfterSeconds ?? 1) * 1_000;
    if (waitMs > limits.systems.retryAfterMs) return first;
    await wait(waitMs, signal);
    return guarded(breaker, agent, outgoing, signal);
  }

  return { send, close: () => agent.destroy() };
}

/** A pool whose connections all come from the checked dialler. */
function openAgent(options: ConnectOptions): Agent {
  const { connectTimeoutMs, requestTimeoutMs } = limits.systems;
  return new Agent({
    headersTimeout: requestTimeoutMs,
    bodyTimeout: requestTimeoutMs,
    keepAliveTimeout: 10_000,
    maxHeaderSize: 32_768,
    connect({ hostname, port }, callback) {
      const host = hostname.replace(/^\[(.*)\]$/, '$1');
      connectPublic(host, Number(port || 443), options, AbortSignal.timeout(connectTimeoutMs)).then(
        (socket) => callback(null, socket),
        (error: Error) => callback(error, null),
      );
    },
  });
}

async function guarded(
  breaker: CircuitBreaker,
  agent: Agent,
  outgoing: SystemRequest,
  signal: AbortSignal,
): Promise<SystemResponse> {
  const { host } = outgoing.url;
  signal.throwIfAborted();
  if (!breaker.enter(host)) {
    throw new ToolFailure(`${host} did not answer several times in a row; it is tried again later`);
  }
  try {
    const response = await exchange(agent, outgoing, signal);
    breaker.report(host, response.status >= 500 ? 'failed' : 'answered');
    return response;
  } catch (error) {
    breaker.report(host, outcomeOf(error, signal));
    if (signal.aborted) throw signal.reason;
    throw error instanceof ToolFailure ? error : unreachable(host, error);
  }
}

/** An answer that is refused is one; a host that may not be called says nothing about the site. */
function outcomeOf(error: unknown, signal: AbortSignal) {
  if (error instanceof ToolFailure) return 'answered';
  return signal.aborted ? 'unknown' : 'failed';
}

function unreachable(host: string, error: unknown): ToolFailure {
  if (error instanceof PublicConnectionError) {
    const what = {
      not_public: `${host} is not at a public address; the operator can allow it (ALLOWED_PRIVATE_HOSTS)`,
      not_found: `${host} could not be found`,
      unreachable: `${host} could not be reached`,
    } as const;
    return new ToolFailure(what[error.reason], error);
  }
  const { name, code } = error as { name?: string; code?: string };
  const isLate = name === 'TimeoutError' || code?.endsWith('_TIMEOUT') === true;
  return new ToolFailure(isLate ? `${host} did not answer in time` : `${host} broke the connection off`);
}

async function exchange(agent: Agent, outgoing: SystemRequest, signal: AbortSignal): Promise<SystemResponse> {
  const { url, method, headers, body = null } = outgoing;
  if (url.protocol !== 'https:') throw new ToolFailure(`${url.host} must be called over https`);
  const response = await request(url, {
    dispatcher: agent,
    method,
    body,
    headers: {
      accept: 'application/json',
      'accept-encoding': 'identity',
      'user-agent': userAgent,
      ...headers,
    },
    signal: AbortSignal.any([signal, AbortSignal.timeout(limits.systems.requestTimeoutMs)]),
  });
  const { statusCode: status } = response;
  // A body that is given up says so by an event, which must not end the process.
  response.body.on('error', () => undefined);
  if (status >= 300 && status < 400) {
    response.body.destroy();
    throw new ToolFailure(
      `${url.host} answered with a redirect, which is not followed: is the address right?`,
    );
  }
  const text = await readText(response, url.host);
  return { status, retryAfterSeconds: retryAfter(response.headers['retry-after']), body: parseJson(text) };
}

const userAgent = 'service-tools/1';

async function readText({ body }: Dispatcher.ResponseData, host: string): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > limits.systems.responseBytes) {
      body.destroy();
      throw new ToolFailure(`${host} answered with more than can be read; ask for fewer rows`);
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, bytes).toString();
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Seconds, or a date (RFC 9110, section 10.2.3), which is not read: no system here sends one. */
function retryAfter(header: string | string[] | undefined): number | null {
  return typeof header === 'string' && /^\d{1,6}$/.test(header.trim()) ? Number(header) : null;
}
