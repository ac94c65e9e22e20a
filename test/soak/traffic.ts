import { createHmac } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { HeldKey, TriggeredAgent } from '../chaos/house.ts';
import type { BrowserSession } from '../wire/session-client.ts';
import { specs } from './specs.ts';

/** How calls of each kind went. */
export interface CallLog {
  readonly durationsMs: Map<string, number[]>;
  /** What should not have been answered. */
  readonly faults: string[];
}

export interface TrafficParts {
  readonly url: string;
  readonly key: HeldKey;
  /** Without any scope. */
  readonly narrowKey: HeldKey;
  readonly session: BrowserSession;
  readonly agents: readonly TriggeredAgent[];
  readonly log: CallLog;
  readonly isOver: () => boolean;
}

interface TimedRequest {
  readonly kind: string;
  readonly path: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** Default: 200. */
  readonly status?: number;
  /** The client leaves when this has come. */
  readonly leavesAt?: string;
}

/** Starts everything that clients do, each kind at its own pace. Resolves when all have ended. */
export async function sendTraffic(parts: TrafficParts): Promise<void> {
  const again = async (everyMs: number, work: (index: number) => Promise<unknown>) => {
    for (let index = 0; !parts.isOver(); index += 1) await Promise.all([work(index), sleep(everyMs)]);
  };
  const types = Object.keys(specs) as (keyof typeof specs)[];
  await Promise.all([
    again(250, () => health(parts)),
    ...types.map((type) => again(1_500, () => document(parts, type))),
    again(600, () => chat(parts)),
    again(1_000, () => query(parts)),
    again(100, () => converse(parts)),
    again(700, () => leave(parts)),
    again(1_200, (index) => run(parts, index)),
    again(2_500, (index) => trigger(parts, index)),
    again(400, (index) => refused(parts, index)),
  ]);
}

function health({ url, key, log }: TrafficParts): Promise<string> {
  return timed(url, log, { kind: 'health', path: '/v1/health', headers: key.headers });
}

function document({ url, key, log }: TrafficParts, type: keyof typeof specs): Promise<string> {
  return timed(url, log, { kind: type, path: `/v1/${type}`, headers: key.headers, body: specs[type] });
}

function chat({ url, key, log }: TrafficParts): Promise<string> {
  return timed(url, log, {
    kind: 'chat',
    path: '/v1/chat',
    headers: key.headers,
    body: { message: 'Tell.' },
  });
}

function query({ url, key, log }: TrafficParts): Promise<string> {
  return timed(url, log, {
    kind: 'query',
    path: '/v1/query',
    headers: key.headers,
    body: { query: 'What?' },
  });
}

const streaming = { accept: 'text/event-stream' };

/** A conversation of ten streamed turns, which is read, listed and deleted. */
async function converse({ url, key, log, isOver }: TrafficParts): Promise<void> {
  const { headers } = key;
  let id: string | undefined;
  for (let turn = 0; turn < 10 && !isOver(); turn += 1) {
    const body = {
      message: `Go on. [conversation c${id}]`,
      ...(id !== undefined && { conversation_id: id }),
    };
    const request = { kind: 'stream', path: '/v1/chat', headers: { ...headers, ...streaming }, body };
    const events = await timed(url, log, request);
    if (!events.includes('"type":"done"')) log.faults.push(`stream: ${events.slice(-200)}`);
    id ??= /"conversation_id":"([^"]+)"/.exec(events)?.[1];
    await timed(url, log, { kind: 'conversation', path: `/v1/conversations/${id}`, headers });
    await timed(url, log, { kind: 'conversations', path: '/v1/conversations', headers });
  }
  await timed(url, log, {
    kind: 'delete',
    path: `/v1/conversations/${id}`,
    method: 'DELETE',
    headers,
    status: 204,
  });
}

/** A client that reads the first words of a stream and goes. */
async function leave({ url, key, log }: TrafficParts): Promise<void> {
  const headers = { ...key.headers, ...streaming };
  const body = { message: 'Tell at length.' };
  await timed(url, log, {
    kind: 'left stream',
    path: '/v1/chat',
    headers,
    body,
    leavesAt: '"type":"content"',
  });
}

/** Runs an agent by hand and follows the run to its end. */
async function run({ url, session, agents, log }: TrafficParts, index: number): Promise<void> {
  const agent = agents[index % agents.length];
  const { headers } = session;
  const path = `/api/agents/${agent?.id}`;
  const text = await timed(url, log, { kind: 'run', path: `${path}/run`, headers, body: {} });
  const { id } = JSON.parse(text).run;
  const events = `${path}/runs/${id}/events`;
  await timed(url, log, { kind: 'run events', path: events, headers: { ...headers, ...streaming } });
  await timed(url, log, { kind: 'runs', path: `${path}/runs?limit=20`, headers });
}

async function trigger({ url, agents, log }: TrafficParts, index: number): Promise<void> {
  const agent = agents[index % agents.length];
  if (agent === undefined) return;
  const timestamp = String(Date.now());
  const signature = createHmac('sha256', agent.secret)
    .update(`${timestamp}.{"index":${index}}`)
    .digest('hex');
  const headers = {
    'x-webhook-timestamp': timestamp,
    'x-webhook-signature': signature,
    'x-forwarded-for': `10.0.${(index >> 8) & 255}.${index & 255}`,
  };
  const path = `/api/agents/${agent.id}/webhook/trigger`;
  await timed(url, log, { kind: 'webhook', path, headers, body: { index } });
}

async function refused({ url, key, narrowKey, log }: TrafficParts, index: number): Promise<void> {
  const kind = 'refused';
  const refusals: readonly TimedRequest[] = [
    { kind, path: '/v1/health', status: 401 },
    { kind, path: '/v1/health', headers: { authorization: 'Bearer svc_live_x' }, status: 401 },
    { kind, path: '/v1/excel', headers: narrowKey.headers, body: specs.excel, status: 403 },
    { kind, path: '/v1/nowhere', headers: key.headers, status: 404 },
    { kind, path: '/v1/pdf', headers: key.headers, body: { title: 'No sections' }, status: 422 },
    { kind, path: '/v1/chat', headers: key.headers, body: {}, status: 400 },
    { kind, path: '/v1/docx', headers: key.headers, body: { title: 'x'.repeat(1_100_000) }, status: 413 },
    { kind, path: '/api/agents', status: 401 },
  ];
  const request = refusals[index % refusals.length];
  if (request !== undefined) await timed(url, log, request);
}

/** Makes a call, notes how long it took to its end, and returns its body as text. */
async function timed(url: string, log: CallLog, request: TimedRequest): Promise<string> {
  const { kind, path, body, status = 200, leavesAt } = request;
  const startedMs = performance.now();
  const leaving = new AbortController();
  const signal = AbortSignal.any([leaving.signal, AbortSignal.timeout(60_000)]);
  let text = '';
  try {
    const res = await fetch(url + path, {
      method: request.method ?? (body === undefined ? 'GET' : 'POST'),
      headers: { ...request.headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal,
    });
    const decoder = new TextDecoder();
    for await (const piece of res.body ?? []) {
      text += decoder.decode(piece, { stream: true });
      if (leavesAt !== undefined && text.includes(leavesAt)) break;
    }
    if (res.status !== status) log.faults.push(`${kind} ${path}: ${res.status} ${text.slice(0, 300)}`);
  } catch (error) {
    const cause = error instanceof Error && error.cause !== undefined ? `: ${error.cause}` : '';
    log.faults.push(`${kind} ${path}: ${error}${cause}`);
  }
  leaving.abort();
  const durations = log.durationsMs.get(kind) ?? [];
  log.durationsMs.set(kind, durations);
  durations.push(performance.now() - startedMs);
  return text;
}
