import type { ServiceError } from '../domain/errors.ts';
import { type Call, failureKey } from './call.ts';
import { toErrorAnswer } from './problem.ts';
import { endUnread, isUnread } from './unread-body.ts';

export type HeaderRecord = Record<string, string | string[]>;

/** Sends an answer whole. A request whose body was not read is brought to an end without reading the rest. */
export function sendAnswer(
  call: Call,
  status: number,
  headers: HeaderRecord,
  body: string | Uint8Array,
): void {
  const { req, res } = call;
  const head: HeaderRecord = { ...call.standingHeaders, ...headers };
  if (status !== 204) head['content-length'] = String(Buffer.byteLength(body));
  const unread = isUnread(req);
  if (unread && req.httpVersionMajor === 1) head.connection = 'close';
  res.writeHead(status, head);
  if (unread) endUnread(req, res, call.method === 'HEAD' ? '' : body);
  else res.end(body);
}

/** Sends a failure as the REST door writes it. Headers that the gate set stay on it. */
export function sendError(
  call: Call,
  error: ServiceError,
  errorsBase: string,
  responseHeader?: Headers,
): void {
  call.values.set(failureKey, error);
  const answer = toErrorAnswer(error, call, errorsBase);
  const headers = responseHeader === undefined ? {} : toHeaderRecord(responseHeader);
  for (const name of bodyHeaders) delete headers[name];
  sendAnswer(call, answer.status, Object.assign(headers, answer.headers), answer.body);
}

/** Headers that speak of the body that is not sent now. */
const bodyHeaders = [
  'content-type',
  'content-length',
  'content-disposition',
  'content-encoding',
  'x-service-file-id',
];

/** Returns the headers as Node takes them. */
export function toHeaderRecord(headers: Headers): HeaderRecord {
  const record: HeaderRecord = {};
  headers.forEach((value, name) => {
    record[name] = name === 'set-cookie' ? headers.getSetCookie() : value;
  });
  return record;
}
