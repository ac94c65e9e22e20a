import type { IncomingHttpHeaders, ServerHttp2Stream } from 'node:http2';
import {
  Code,
  ConnectError,
  type ContextValues,
  type HandlerContext,
  type MethodImplSpec,
} from '@connectrpc/connect';
import { HeaderMap } from '../header-map.ts';
import { parseGrpcTimeout } from './grpc-timeout.ts';

/** A gRPC call on its stream. */
export interface GrpcCall extends HandlerContext {
  readonly stream: ServerHttp2Stream;
  readonly responseHeader: HeaderMap;
  readonly responseTrailer: HeaderMap;
  /** Content type of the answer: that of the request. */
  readonly contentType: string;
  /** Headers of every answer, failures included. */
  readonly standingHeaders: Readonly<Record<string, string>>;
  abort(reason: Error): void;
  /** Rejects when the client's deadline has passed; undefined when it has set none. */
  readonly deadline: Promise<never> | undefined;
  /** Ends the watch over the deadline. */
  release(): void;
}

/** Returns the context of a call, under the deadline that its client has set. */
export function createGrpcCall(
  { method }: MethodImplSpec,
  stream: ServerHttp2Stream,
  headers: IncomingHttpHeaders,
  values: ContextValues,
  standingHeaders: Readonly<Record<string, string>>,
): GrpcCall {
  const controller = new AbortController();
  const timeoutMs = parseGrpcTimeout(headers['grpc-timeout'] as string | undefined);
  const watch =
    timeoutMs === undefined ? undefined : watchDeadline(timeoutMs, (error) => controller.abort(error));
  return {
    stream,
    standingHeaders,
    contentType: headers['content-type'] ?? 'application/grpc',
    method,
    service: method.parent,
    signal: controller.signal,
    timeoutMs: watch?.leftMs ?? noTimeout,
    requestMethod: 'POST',
    requestHeader: new HeaderMap(headers),
    responseHeader: new HeaderMap(),
    responseTrailer: new HeaderMap(),
    protocolName: 'grpc',
    values,
    url: headers[':path'] ?? '',
    abort: (reason) => controller.abort(reason),
    deadline: watch?.passed,
    release: () => clearTimeout(watch?.timer),
  };
}

function watchDeadline(timeoutMs: number, abort: (error: ConnectError) => void) {
  const endsAt = performance.now() + timeoutMs;
  const { promise: passed, reject } = Promise.withResolvers<never>();
  // Nobody may be waiting when it passes.
  passed.catch(() => undefined);
  const timer = setTimeout(() => {
    const error = new ConnectError('the deadline has passed', Code.DeadlineExceeded);
    abort(error);
    reject(error);
  }, timeoutMs);
  return { passed, timer, leftMs: () => endsAt - performance.now() };
}

function noTimeout(): undefined {
  return undefined;
}
