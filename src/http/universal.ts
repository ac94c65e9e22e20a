import { Code, ConnectError } from '@connectrpc/connect';
import type { UniversalServerRequest, UniversalServerResponse } from '@connectrpc/connect/protocol';
import { toConnectError } from '../rpc/connect-error.ts';
import { cutOff, type HeaderRecord } from './answer.ts';
import type { Call } from './call.ts';
import { encodeGrpcMessage } from './grpc/grpc-status.ts';
import type { NodeHeaders } from './header-map.ts';
import { protectHeaders } from './protect-headers.ts';
import { tooLarge } from './request-body.ts';
import { endUnread, isUnread } from './unread-body.ts';
import { endChunks, writeChunk } from './write-chunk.ts';

export interface UniversalOptions {
  readonly bodyBytes: number;
  /** Domain of google.rpc.ErrorInfo. */
  readonly errorDomain: string;
}

/**
 * Returns a request as Connect's handlers take it. Unlike connect-node's own adapter it never throws: a request without
 * a Host, or with one that no URL can hold, has the address of localhost.
 */
export function toUniversalRequest(call: Call, options: UniversalOptions): UniversalServerRequest {
  const { req, res } = call;
  const controller = new AbortController();
  res.once('close', () => controller.abort(clientGone));
  return {
    httpVersion: req.httpVersion,
    method: call.method,
    url: urlOf(call),
    header: toHeaders(req.headers),
    body: countedBody(call, options),
    signal: controller.signal,
    contextValues: call.values,
  };
}

const clientGone = new ConnectError('the client went away', Code.Canceled);

function urlOf({ req, path, query }: Call): string {
  const host = (req.headers[':authority'] as string | undefined) ?? req.headers.host ?? '';
  const target = query === '' ? path : `${path}?${query}`;
  return URL.canParse(`http://${host}${target}`) ? `http://${host}${target}` : `http://localhost${target}`;
}

/** The bytes of a body, counted: a body over the limit fails with the catalogue's error as soon as it is known to be over. */
async function* countedBody(
  call: Call,
  { bodyBytes, errorDomain }: UniversalOptions,
): AsyncGenerator<Uint8Array> {
  const { req, res } = call;
  if (Number(req.headers['content-length'] ?? 0) > bodyBytes + envelopeBytes)
    throw toConnectError(tooLarge(bodyBytes), errorDomain);
  if (call.expectsContinue) res.writeContinue();
  let bytes = 0;
  // The request stream must outlive this loop, so that the answer can still be sent.
  for await (const chunk of req.iterator({ destroyOnReturn: false })) {
    bytes += (chunk as Buffer).length;
    if (bytes > bodyBytes + envelopeBytes) throw toConnectError(tooLarge(bodyBytes), errorDomain);
    yield chunk;
  }
}

/** gRPC's prefix of each message. */
const envelopeBytes = 5;

/**
 * Writes what a Connect handler answers, at the pace of the client.
 *
 * @param isStream whether the method answers with a stream, in the content type of its request
 */
export async function writeUniversalResponse(
  call: Call,
  response: UniversalServerResponse,
  isStream: boolean,
  stalledWriteMs: number,
): Promise<void> {
  const { req, res } = call;
  const chunks = response.body?.[Symbol.asyncIterator]();
  try {
    // Read before the head goes out, since the implementation sets headers until its first message.
    let chunk = await chunks?.next();
    if (res.closed) return;
    const unread = isUnread(req);
    const head: HeaderRecord = { ...toHeaderRecord(response.header), ...call.standingHeaders };
    if (isStream && response.status === 200) protectHeaders(head, req.headers['content-type'] ?? '');
    if (unread && req.httpVersionMajor === 1) head.connection = 'close';
    res.writeHead(response.status, head);
    while (chunk !== undefined && chunk.done !== true) {
      if (!(await writeChunk(res, chunk.value, stalledWriteMs))) return;
      chunk = await chunks?.next();
    }
    if (response.trailer !== undefined) res.addTrailers(toTrailers(response.trailer));
    if (isUnread(req)) endUnread(req, res, '');
    else endChunks(res);
  } catch (error) {
    cutOff(call, error);
  } finally {
    await chunks?.return?.().catch(() => undefined);
  }
}

/** Returns a request's headers as Connect has them; HTTP/2's pseudo-headers are left out. */
function toHeaders(headers: NodeHeaders): Headers {
  const result = new Headers();
  for (const name in headers) {
    const value = headers[name];
    if (value === undefined || name.startsWith(':')) continue;
    try {
      if (typeof value === 'string') result.set(name, value);
      else for (const entry of value) result.append(name, entry);
    } catch {
      // What Node's parser takes and the Fetch standard refuses (a control character) is no header that we know.
    }
  }
  return result;
}

function toHeaderRecord(headers: Headers | undefined): HeaderRecord {
  const record: HeaderRecord = {};
  headers?.forEach((value, name) => {
    record[name] = name === 'set-cookie' ? headers.getSetCookie() : value;
  });
  return record;
}

/** Connect encodes more of a message than gRPC asks for, which shows in some clients. */
function toTrailers(trailers: Headers): HeaderRecord {
  const record = toHeaderRecord(trailers);
  const message = trailers.get('grpc-message');
  if (message !== null) record['grpc-message'] = encodeGrpcMessage(decodeURIComponent(message));
  return record;
}
