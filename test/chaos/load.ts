import { createHmac } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { BrowserSession } from '../wire/session-client.ts';
import { type Answer, callOnce, callUntil, pick, statedSlugs, type Tally, wasReached } from './client.ts';
import type { ServiceProcess } from './cluster.ts';
import type { HeldKey, TriggeredAgent } from './house.ts';
import type { ClientRecords } from './records.ts';

export interface LoadParts {
  readonly apis: readonly ServiceProcess[];
  readonly tally: Tally;
  readonly records: ClientRecords;
  readonly session: BrowserSession;
  readonly agents: readonly TriggeredAgent[];
  readonly isOver: () => boolean;
}

/** Numbers of markers, so that each call can be told from every other one. */
let marked = 0;

function nextMarker(kind: string): string {
  marked += 1;
  return `${kind}${marked}`;
}

/** Triggers agents by hand, one after the other. */
export async function runByHand({ apis, tally, records, session, agents, isOver }: LoadParts): Promise<void> {
  for (let index = 0; !isOver(); index += 1) {
    const agent = agents[(index * 7) % agents.length];
    if (agent === undefined) return;
    const path = `/api/agents/${agent.id}/run`;
    const request = { kind: 'run', method: 'POST', path, headers: session.headers, body: '{}' } as const;
    const answer = await callOnce(pick(apis, index), request, tally);
    const run = answer?.body.run as { readonly id: string } | undefined;
    if (answer?.status === 200 && run !== undefined) records.runs.set(run.id, agent.id);
    await sleep(150);
  }
}

/** Sends signed triggers, each until it has a definite answer: accepted, or used before. */
export async function runByWebhook({ apis, tally, records, agents, isOver }: LoadParts): Promise<void> {
  for (let index = 0; !isOver(); index += 1) {
    const agent = agents[(index * 5) % agents.length];
    if (agent === undefined) return;
    const marker = nextMarker('w');
    const body = JSON.stringify({ text: `[for ${marker}]` });
    const timestamp = String(Date.now());
    const request = {
      kind: 'webhook',
      method: 'POST',
      path: `/api/agents/${agent.id}/webhook/trigger`,
      headers: {
        'x-webhook-timestamp': timestamp,
        'x-webhook-signature': createHmac('sha256', agent.secret)
          .update(`${timestamp}.${body}`)
          .digest('hex'),
        // Each from an address of its own: a source has few attempts a minute.
        'x-forwarded-for': `10.${(marked >> 16) & 255}.${(marked >> 8) & 255}.${marked & 255}`,
      },
      body,
    } as const;
    const isDefinite = ({ status }: Answer) => status === 200 || status === 409 || status === 429;
    const answer = await callUntil(apis, request, tally, isDefinite);
    const count = records.triggers.get(agent.id) ?? { accepted: 0, unknown: 0 };
    if (answer === undefined) count.unknown += 1;
    else if (answer.status !== 429) count.accepted += 1;
    records.triggers.set(agent.id, count);
    await sleep(500);
  }
}

/**
 * Sends each keyed chat three times, to both processes, until all three have the answer: also after the load is over,
 * for whoever repeats the call of a dead process gets the answer when its lease has ended.
 */
export async function chatKeyed({ apis, tally, records, isOver }: LoadParts, key: HeldKey): Promise<void> {
  const pending: Promise<unknown>[] = [];
  while (!isOver()) {
    const marker = nextMarker('k');
    const answers = new Set<string>();
    records.keyed.set(marker, { keyId: key.id, answers });
    const request = {
      kind: 'keyed chat',
      method: 'POST',
      path: '/v1/chat',
      headers: { ...key.headers, 'idempotency-key': marker },
      body: JSON.stringify({ message: `Tell. [for ${marker}]` }),
    } as const;
    const send = async (delayMs: number) => {
      await sleep(delayMs);
      const answer = await callUntil(apis, request, tally, ({ status }) => status === 200);
      answers.add(`${answer?.body.id} ${answer?.body.content}`);
    };
    const all = Promise.all([send(0), send(5), send(300)]);
    pending.push(all);
    await Promise.race([all, sleep(1_000)]);
  }
  await Promise.all(pending);
}

/** Chats without an idempotency key until the key's budget is used up, then goes on with the next one. */
export async function chatOnBudgets(
  { apis, tally, records, isOver }: LoadParts,
  keys: readonly HeldKey[],
): Promise<void> {
  for (const key of keys) {
    let refusals = 0;
    for (let index = 0; !isOver() && refusals < 20; index += 1) {
      const marker = nextMarker('b');
      records.chats.set(marker, key.id);
      const body = JSON.stringify({ message: `Tell. [for ${marker}]` });
      const request = {
        kind: 'budget chat',
        method: 'POST',
        path: '/v1/chat',
        headers: key.headers,
        body,
      } as const;
      const answer = await callOnce(pick(apis, index), request, tally);
      if (answer !== undefined) checkBudget(answer, key, tally);
      if (answer?.slug === 'budget_exhausted') refusals += 1;
      await sleep(20);
    }
  }
}

function checkBudget({ headers, slug, body }: Answer, { id, tokenBudget }: HeldKey, tally: Tally): void {
  const limit = tokenBudget ?? Number.POSITIVE_INFINITY;
  const used = Number(headers.get('x-service-budget-used') ?? 0);
  if (used > limit) tally.violated(`${id}: ${used} of ${limit} tokens are used`);
  if (slug !== 'budget_exhausted') return;
  const sum = Number(body.used) + Number(body.in_flight);
  if (sum > limit) tally.violated(`${id}: ${sum} of ${limit} tokens are used or in flight`);
}

/** Calls the health of a key as long as `isOn`, far more often than it may. */
export async function overrunHour(
  { apis, tally, records }: LoadParts,
  key: HeldKey,
  isOn: () => boolean,
): Promise<void> {
  const request = { kind: 'health', method: 'GET', path: '/v1/health', headers: key.headers } as const;
  for (let index = 0; isOn(); index += 1) {
    const answer = await callOnce(pick(apis, index), request, tally);
    await sleep(10);
    if (answer === undefined || answer.status === 503) continue;
    const limit = key.rateLimitPerHour;
    const name = `${key.id} ${answer.headers.get('x-ratelimit-reset')}`;
    const hour = records.hours.get(name) ?? { keyId: key.id, limit, numbers: [], refused: 0 };
    records.hours.set(name, hour);
    if (answer.slug === 'rate_limit_exceeded') hour.refused += 1;
    else hour.numbers.push(Number(answer.headers.get('x-service-rate-used')));
    if (hour.refused > 20) await sleep(200);
  }
}

/** Whether a key has been refused for its hourly limit. */
export function isOverrun({ hours }: ClientRecords, key: HeldKey): boolean {
  return [...hours.values()].some(({ keyId, refused }) => keyId === key.id && refused > 0);
}

/** Talks in a conversation, three turns at a time: one-shot, streamed, and streamed by a client that leaves. */
export async function converse(parts: LoadParts, key: HeldKey): Promise<void> {
  const { apis, tally, records, isOver } = parts;
  const name = nextMarker('c');
  const say = (fields: object, kind = 't') => {
    const marker = nextMarker(kind);
    const body = JSON.stringify({ message: `Tell. [for ${marker}] [conversation ${name}]`, ...fields });
    return {
      marker,
      request: { kind: 'turn', method: 'POST', path: '/v1/chat', headers: key.headers, body } as const,
    };
  };
  const first = say({});
  const answer = await callUntil(apis, first.request, tally, ({ status }) => status === 200, isOver);
  if (answer === undefined) return;
  const conversation = { name, id: String(answer.body.conversation_id), answered: new Set([first.marker]) };
  records.conversations.push(conversation);
  const fields = { conversation_id: conversation.id };
  for (let index = 0; !isOver(); index += 1) {
    const oneShot = say(fields);
    const streamed = say(fields);
    const left = say(fields, 'l');
    await Promise.all([
      callOnce(pick(apis, index), oneShot.request, tally).then((answer) => {
        if (answer?.status === 200) conversation.answered.add(oneShot.marker);
      }),
      stream(parts, pick(apis, index + 1), streamed, false).then((isWhole) => {
        if (isWhole) conversation.answered.add(streamed.marker);
      }),
      stream(parts, pick(apis, index), left, true),
    ]);
    await sleep(50);
  }
}

/** Follows a stream; resolves to whether `done` came. A client that leaves goes after the first text. */
async function stream(
  { tally }: LoadParts,
  { url }: ServiceProcess,
  {
    request,
  }: {
    readonly request: { readonly path: string; readonly headers: HeldKey['headers']; readonly body: string };
  },
  leaves: boolean,
): Promise<boolean> {
  const startedMs = Date.now();
  const count = (answer: string) =>
    tally.count(leaves ? 'left stream' : 'stream', answer, Date.now() - startedMs);
  const headers = { ...request.headers, 'content-type': 'application/json', accept: 'text/event-stream' };
  const leaving = new AbortController();
  const signal = AbortSignal.any([leaving.signal, AbortSignal.timeout(60_000)]);
  try {
    const res = await fetch(url + request.path, { method: 'POST', headers, body: request.body, signal });
    if (res.status !== 200) {
      const text = await res.text();
      const slug = /\/errors\/(\w+)/.exec(text)?.[1] ?? '';
      count(`${res.status} ${slug}`);
      if (!statedSlugs.includes(slug)) tally.violated(`stream: ${res.status} ${text}`);
      return false;
    }
    let text = '';
    for await (const piece of (res.body ?? new ReadableStream()).pipeThrough(new TextDecoderStream())) {
      text += piece;
      if (leaves && text.includes('"type":"content"')) break;
    }
    if (leaves) {
      leaving.abort();
      count('left');
      return false;
    }
    const failure = /"code":"(\w+)"/.exec(text)?.[1];
    if (failure !== undefined && !statedSlugs.includes(failure)) tally.violated(`stream: ${failure}`);
    const isWhole = text.includes('"type":"done"');
    if (!isWhole && failure === undefined) tally.violated(`stream: no end after ${text.slice(-200)}`);
    count(isWhole ? '200' : String(failure));
    return isWhole;
  } catch (error) {
    if (error instanceof DOMException) tally.violated('stream: no end in time');
    count(wasReached(error) ? 'lost' : 'nobody there');
    return false;
  }
}
