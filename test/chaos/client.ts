import { setTimeout as sleep } from 'node:timers/promises';
import type { JsonObject } from '@bufbuild/protobuf';
import type { ServiceProcess } from './cluster.ts';

/** What calls met, from the clients' side. */
export interface Tally {
  /** By kind of call and answer. */
  readonly counts: ReadonlyMap<string, number>;
  /** The longest that a call of each kind took, milliseconds. */
  readonly longestMs: ReadonlyMap<string, number>;
  readonly violations: readonly string[];
  count(kind: string, answer: string, ms: number): void;
  violated(what: string): void;
}

export function createTally(): Tally {
  const counts = new Map<string, number>();
  const longestMs = new Map<string, number>();
  const violations: string[] = [];
  return {
    counts,
    longestMs,
    violations,
    count(kind, answer, ms) {
      const name = `${kind} ${answer}`;
      counts.set(name, (counts.get(name) ?? 0) + 1);
      longestMs.set(kind, Math.max(longestMs.get(kind) ?? 0, ms));
    },
    violated: (what) => violations.push(what),
  };
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  /** Empty when there was none. */
  readonly body: JsonObject;
  /** Slug of a problem document; empty when it was none. */
  readonly slug: string;
}

export interface ClientRequest {
  /** What the call is counted as. */
  readonly kind: string;
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** What a caller of /v1 may meet while parts are dying: no failure but these refusals. */
export const statedSlugs: readonly string[] = [
  'request_in_progress',
  'rate_limit_exceeded',
  'budget_exhausted',
  'budget_check_failed',
  'entitlement_check_failed',
  'policy_lookup_failed',
];

/** The same of /api, which tells failures by their status. */
const statedStatuses = [409, 429, 503];

/** Longer than everything that the service waits for on a call's behalf: by then it hangs. */
const hangsAfterMs = 60_000;

/** Calls a process once. Undefined: the connection was lost, and nobody knows what became of the call. */
export async function callOnce(
  { url }: ServiceProcess,
  { kind, method, path, headers, body }: ClientRequest,
  tally: Tally,
): Promise<Answer | undefined> {
  const startedMs = Date.now();
  const took = () => Date.now() - startedMs;
  let answer: Answer;
  try {
    const res = await fetch(url + path, {
      method,
      headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body }),
      signal: AbortSignal.timeout(hangsAfterMs),
    });
    const text = await res.text();
    const json = text === '' ? {} : (JSON.parse(text) as JsonObject);
    answer = { status: res.status, headers: res.headers, body: json, slug: slugOf(json) };
  } catch (error) {
    if (error instanceof DOMException) tally.violated(`${kind}: no answer after ${took()} ms`);
    tally.count(kind, wasReached(error) ? 'lost' : 'nobody there', took());
    return undefined;
  }
  tally.count(kind, `${answer.status} ${answer.slug}`.trim(), took());
  const isStated = path.startsWith('/v1/')
    ? statedSlugs.includes(answer.slug)
    : statedStatuses.includes(answer.status) && answer.body.ok === false;
  if (answer.status !== 200 && !isStated) {
    tally.violated(`${kind}: ${answer.status} ${JSON.stringify(answer.body)}`);
  }
  return answer;
}

/** Whether a call that failed may have come to the process. */
export function wasReached(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined;
  return !(cause instanceof Error && 'code' in cause && cause.code === 'ECONNREFUSED');
}

/** Calls one process after the other until `isDefinite` of an answer. Undefined once `isOver`. */
export async function callUntil(
  processes: readonly ServiceProcess[],
  request: ClientRequest,
  tally: Tally,
  isDefinite: (answer: Answer) => boolean,
  isOver: () => boolean = () => false,
): Promise<Answer | undefined> {
  const first = Math.floor(Math.random() * processes.length);
  for (let attempt = 0; !isOver(); attempt += 1) {
    const answer = await callOnce(pick(processes, first + attempt), request, tally);
    if (answer !== undefined && isDefinite(answer)) return answer;
    await sleep(Math.min(1_000, 100 * 2 ** attempt));
  }
  return undefined;
}

/** Returns one of the processes that listen, if any does; another one for each number. */
export function pick(processes: readonly ServiceProcess[], number: number): ServiceProcess {
  const up = processes.filter(({ isUp }) => isUp);
  const among = up.length === 0 ? processes : up;
  const picked = among[number % among.length];
  if (picked === undefined) throw new Error('there is no process');
  return picked;
}

function slugOf({ type }: JsonObject): string {
  return typeof type === 'string' ? type.slice(type.lastIndexOf('/') + 1) : '';
}
