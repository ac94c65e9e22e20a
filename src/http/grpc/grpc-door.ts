import { constants, type IncomingHttpHeaders, type ServerHttp2Stream } from 'node:http2';
import type { ContextValues, HandlerContext, MethodImplSpec } from '@connectrpc/connect';
import { toConnectError } from '../../rpc/connect-error.ts';
import { clientAddressKey, requestIdKey } from '../../rpc/context-keys.ts';
import { accessOf, type MethodAccess } from '../../rpc/gate/access.ts';
import { CallValues, failureKey, requestIdOf } from '../call.ts';
import { type CallRoute, routeOf } from '../call-watch.ts';
import type { Invoker } from '../invoke.ts';
import { answerStream, answerUnary, fail } from './grpc-answer.ts';
import { createGrpcCall, type GrpcCall } from './grpc-call.ts';
import { readMessage } from './grpc-message.ts';
import { readGrpcBody } from './read-grpc-body.ts';

export interface GrpcDoorOptions {
  readonly gate: (context: HandlerContext) => Promise<void>;
  readonly invoker: Invoker;
  readonly errorDomain: string;
  readonly limits: {
    readonly bodyBytes: number;
    readonly requestTimeoutMs: number;
    readonly stalledWriteMs: number;
  };
  /** Calls under way, each by the function that ends it. */
  readonly openCalls: Set<(reason: Error) => void>;
  /** Told of each call when it begins; follows it until its stream has closed. */
  readonly onCall?: ((call: GrpcCallHead) => GrpcCallWatch) | undefined;
}

export interface GrpcCallHead {
  readonly path: string;
  readonly route: CallRoute;
  readonly requestId: string;
  readonly clientAddress: string;
  readonly traceParent: string | undefined;
  readonly values: ContextValues;
}

export interface GrpcCallWatch {
  run<T>(work: () => T): T;
  /** @param isLeft whether the client left before the end of its answer */
  ended(isLeft: boolean): void;
}

/**
 * Takes a stream when it is a gRPC call that this door serves, and tells whether it did: binary messages without
 * compression, of unary and server-streaming methods. The others are left to Connect's handlers, which serve all of
 * gRPC at many times the cost.
 */
export type GrpcDoor = (stream: ServerHttp2Stream, headers: IncomingHttpHeaders, address: string) => boolean;

/** Returns the door for plain gRPC: the same gate, interceptors and implementations as at every other. */
export function createGrpcDoor(specs: readonly MethodImplSpec[], options: GrpcDoorOptions): GrpcDoor {
  const { openCalls } = options;
  const targets = new Map<string, GrpcTarget>();
  for (const spec of specs) {
    if (spec.kind === 'client_streaming' || spec.kind === 'bidi_streaming') continue;
    const { method } = spec;
    const route = routeOf(method, 'grpc');
    targets.set(`/${route.rpc}`, { spec, access: accessOf(method).kind, route });
  }
  return (stream, headers, address) => {
    const path = headers[':path'] ?? '';
    const target = targets.get(path);
    if (target === undefined || !isPlainGrpc(headers)) return false;
    const requestId = requestIdOf(headers['x-request-id']);
    const values = new CallValues().set(clientAddressKey, address).set(requestIdKey, requestId);
    const watch = options.onCall?.({
      path,
      route: target.route,
      requestId,
      clientAddress: address,
      traceParent: headers.traceparent as string | undefined,
      values,
    });
    const call = createGrpcCall(target.spec, stream, headers, values, { 'x-request-id': requestId });
    stream.once('close', () => {
      if (openCalls.has(call.abort)) call.abort(clientGone);
      watch?.ended(stream.rstCode === constants.NGHTTP2_CANCEL || !stream.writableFinished);
    });
    const work = () => serve(call, target, headers, options);
    // Nothing can be told to a client whose answer could not even be written.
    (watch === undefined ? work() : watch.run(work)).catch(() => stream.close());
    return true;
  };
}

interface GrpcTarget {
  readonly spec: MethodImplSpec;
  readonly access: MethodAccess['kind'];
  readonly route: CallRoute;
}

const clientGone = new Error('the stream is closed');

function isPlainGrpc(headers: IncomingHttpHeaders): boolean {
  const { ':method': method, 'content-type': type, 'grpc-encoding': encoding } = headers;
  return (
    method === 'POST' &&
    (type === 'application/grpc' || type === 'application/grpc+proto') &&
    (encoding === undefined || encoding === 'identity')
  );
}

async function serve(
  call: GrpcCall,
  { spec, access }: GrpcTarget,
  headers: IncomingHttpHeaders,
  options: GrpcDoorOptions,
): Promise<void> {
  const { limits, openCalls } = options;
  openCalls.add(call.abort);
  try {
    if (access !== 'public') await options.gate(call);
    const body = await readGrpcBody(call.stream, headers, limits);
    const message = readMessage(spec.method.input, body);
    if (spec.kind === 'unary') await answerUnary(call, spec, message, options.invoker);
    else await answerStream(call, spec, message, options.invoker, limits.stalledWriteMs);
  } catch (error) {
    if (call.values.get(failureKey) === undefined) call.values.set(failureKey, error);
    fail(call, toConnectError(error, options.errorDomain));
  } finally {
    call.release();
    openCalls.delete(call.abort);
  }
}
