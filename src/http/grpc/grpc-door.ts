import type { IncomingHttpHeaders, ServerHttp2Stream } from 'node:http2';
import type { ContextValues, HandlerContext, MethodImplSpec } from '@connectrpc/connect';
import { toConnectError } from '../../rpc/connect-error.ts';
import { clientAddressKey, requestIdKey } from '../../rpc/context-keys.ts';
import { accessOf, type MethodAccess } from '../../rpc/gate/access.ts';
import { CallValues, failureKey, requestIdOf } from '../call.ts';
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
  /** Told of each call when it begins; returns what to do when its stream has closed. */
  readonly onCall?:
    | ((path: string, requestId: string, address: string, values: ContextValues) => () => void)
    | undefined;
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
    targets.set(`/${method.parent.typeName}/${method.name}`, { spec, access: accessOf(method).kind });
  }
  return (stream, headers, address) => {
    const target = targets.get(headers[':path'] ?? '');
    if (target === undefined || !isPlainGrpc(headers)) return false;
    const requestId = requestIdOf(headers['x-request-id']);
    const values = new CallValues().set(clientAddressKey, address).set(requestIdKey, requestId);
    const onClose = options.onCall?.(headers[':path'] as string, requestId, address, values);
    const call = createGrpcCall(target.spec, stream, headers, values, { 'x-request-id': requestId });
    stream.once('close', () => {
      if (openCalls.has(call.abort)) call.abort(clientGone);
      onClose?.();
    });
    // Nothing can be told to a client whose answer could not even be written.
    serve(call, target, headers, options).catch(() => stream.close());
    return true;
  };
}

interface GrpcTarget {
  readonly spec: MethodImplSpec;
  readonly access: MethodAccess['kind'];
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
