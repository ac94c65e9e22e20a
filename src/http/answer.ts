import type { ServiceError } from '../domain/errors.ts';
import { type Call, failureKey } from './call.ts';
import type { HeaderMap } from './header-map.ts';
import { toErrorAnswer } from './problem.ts';
import { endUnread, isUnread } from './unread-body.ts';
import { destroySink } from './write-chunk.ts';

export type HeaderRecord = Record<string, string | string[]>;

/**
 * Sends an answer whole. A request whose body was not read is brought to an end without reading the rest.
 *
 * @param headers by lower-case name; taken over
 */
export function sendAnswer(
  call: Call,
  status: number,
  headers: HeaderRecord,
  body: string | Uint8Array,
): void {
  const { req, res } = call;
  const head = Object.assign(headers, call.standingHeaders);
  const length = Buffer.byteLength(body);
  if (status !== 204) head['content-length'] = String(length);
  const unread = isUnread(req);
  if (unread && req.httpVersionMajor === 1) head.connection = 'close';
  res.writeHead(status, head);
  if (unread) endUnread(req, res, call.method === 'HEAD' ? '' : body);
  else if (typeof body === 'string' && length === body.length) res.end(body, 'latin1');
  else res.end(body);
}

/** Sends a failure as the REST door writes it. Headers that the gate set stay on it. */
export function sendError(
  call: Call,
  error: ServiceError,
  errorsBase: string,
  responseHeader?: HeaderMap,
): void {
  call.values.set(failureKey, error);
  const answer = toErrorAnswer(error, call, errorsBase);
  const headers: HeaderRecord = {};
  responseHeader?.copyTo(headers);
  for (const name of bodyHeaders) delete headers[name];
  sendAnswer(call, answer.status, Object.assign(headers, answer.headers), answer.body);
}

/** Ends an answer whose head is out: all that is left to say of a failure. */
export function cutOff(call: Call, error: unknown): void {
  call.values.set(failureKey, error);
  call.isCut = true;
  destroySink(call.res);
}

/** Headers that speak of the body that is not sent now. */
const bodyHeaders = [
  'content-type',
  'content-length',
  'content-disposition',
  'content-encoding',
  'x-service-file-id',
];
