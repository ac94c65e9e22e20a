import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ServerHttp2Stream } from 'node:http2';
import { type ContextKey, type ContextValues, createContextKey } from '@connectrpc/connect';
import { limits } from '../domain/limits.ts';
import { clientAddressKey, requestIdKey } from '../rpc/context-keys.ts';
import { type CallRoute, unknownRoute } from './call-watch.ts';

/** A request of HTTP/1, or of HTTP/2 through Node's compatibility layer, which then tells its stream. */
export interface Request extends IncomingMessage {
  readonly stream?: ServerHttp2Stream;
}

/** The response to a request, of either version. */
export interface Response extends ServerResponse {
  readonly stream?: ServerHttp2Stream;
}

/** What ended a call in failure, for the log. Set where the failure becomes an answer. */
export const failureKey = createContextKey<unknown>(undefined, { description: 'failure' });

/** What the parts of a call tell each other; as Connect's own, without its closures a call. */
export class CallValues implements ContextValues {
  [id: symbol]: unknown;

  get<Value>(key: ContextKey<Value>): Value {
    return key.id in this ? (this[key.id] as Value) : key.defaultValue;
  }

  set<Value>(key: ContextKey<Value>, value: Value): this {
    this[key.id] = value;
    return this;
  }

  delete(key: ContextKey<unknown>): this {
    delete this[key.id];
    return this;
  }
}

/** One request on its way through the server, whichever door it takes. */
export interface Call {
  readonly req: Request;
  readonly res: Response;
  readonly method: string;
  /** As sent, percent-encoded, without the query. */
  readonly path: string;
  /** What follows the question mark; empty when there is none. */
  readonly query: string;
  readonly requestId: string;
  readonly clientAddress: string;
  readonly values: ContextValues;
  /** Headers of every answer to this request: its id, and what CORS adds. */
  readonly standingHeaders: Record<string, string>;
  /** Sent before the body is read, when the client waits for it (RFC 9110, section 10.1.1). */
  readonly expectsContinue: boolean;
  /** What it is of, as far as that is known. */
  route: CallRoute;
  /** Whether the service cut its answer off, for a failure after the head. */
  isCut: boolean;
}

/** Reads the head of a request. */
export function createCall(
  req: Request,
  res: Response,
  clientAddress: string,
  expectsContinue: boolean,
): Call {
  const requestId = requestIdOf(req.headers['x-request-id']);
  const target = originForm(req.url ?? '/');
  const mark = target.indexOf('?');
  const values = new CallValues();
  values.set(clientAddressKey, clientAddress).set(requestIdKey, requestId);
  return {
    req,
    res,
    method: req.method ?? '',
    path: mark === -1 ? target : target.slice(0, mark),
    query: mark === -1 ? '' : target.slice(mark + 1),
    requestId,
    clientAddress,
    values,
    standingHeaders: { 'x-request-id': requestId },
    expectsContinue,
    route: unknownRoute,
    isCut: false,
  };
}

/** Returns the id that the client sent when it is printable ASCII of at most 128 characters, else a fresh one. */
export function requestIdOf(sent: string | string[] | undefined): string {
  const isUsable =
    typeof sent === 'string' && sent.length <= limits.request.requestIdChars && /^[\x20-\x7e]+$/.test(sent);
  return isUsable ? sent : randomUUID();
}

/** Cuts scheme and authority off a target in absolute form, as a request to a proxy has it (RFC 9112, section 3.2.2). */
function originForm(target: string): string {
  if (target.startsWith('/')) return target;
  const path = /^https?:\/\/[^/?#]*(.*)$/i.exec(target)?.[1];
  if (path === undefined) return target;
  return path.startsWith('/') ? path : `/${path}`;
}
