import type { HandlerContext, Interceptor, MethodImplSpec } from '@connectrpc/connect';
import {
  createUniversalMethodHandler,
  type UniversalHandler,
  type UniversalHandlerOptions,
} from '@connectrpc/connect/protocol';
import { createHandlerFactory as connectFactory } from '@connectrpc/connect/protocol-connect';
import { createHandlerFactory as grpcFactory } from '@connectrpc/connect/protocol-grpc';
import { createHandlerFactory as grpcWebFactory } from '@connectrpc/connect/protocol-grpc-web';
import { compressionBrotli, compressionGzip } from '@connectrpc/connect-node';
import { toConnectError } from '../rpc/connect-error.ts';
import { accessOf } from '../rpc/gate/access.ts';
import { type Call, failureKey } from './call.ts';
import { type CallRoute, routeOf, unknownRoute } from './call-watch.ts';
import { isGrpcRequest, sendUnimplemented } from './unimplemented.ts';
import { toUniversalRequest, writeUniversalResponse } from './universal.ts';

export interface RpcDoorOptions {
  readonly gate: (context: HandlerContext) => Promise<void>;
  /** Every interceptor in order, the first outermost. */
  readonly interceptors: Interceptor[];
  /** Domain of google.rpc.ErrorInfo. */
  readonly errorDomain: string;
  readonly limits: { readonly bodyBytes: number; readonly stalledWriteMs: number };
}

export interface RpcTarget {
  route(call: Call): CallRoute;
  serve(call: Call): Promise<void>;
}

export interface RpcDoor {
  /** Finds the RPC that a request calls; a gRPC request that calls none is answered as such. */
  find(call: Call): RpcTarget | undefined;
}

/** Returns the door for Connect, gRPC-Web and gRPC: Connect's own handlers, behind the gate. */
export function createRpcDoor(specs: readonly MethodImplSpec[], options: RpcDoorOptions): RpcDoor {
  const { errorDomain } = options;
  const handlerOptions: Partial<UniversalHandlerOptions> = {
    acceptCompression: [compressionGzip, compressionBrotli],
    readMaxBytes: options.limits.bodyBytes,
    interceptors: options.interceptors,
    requestGate: async (context) => {
      if (accessOf(context.method).kind === 'public') return;
      try {
        await options.gate(context);
      } catch (error) {
        context.values.set(failureKey, error);
        throw toConnectError(error, errorDomain);
      }
    },
  };
  const protocols = [grpcFactory, grpcWebFactory, connectFactory].map((create) => create(handlerOptions));
  const targets = new Map<string, RpcTarget>();
  for (const spec of specs) {
    const handler = createUniversalMethodHandler(spec, protocols);
    targets.set(handler.requestPath, createTarget(handler, options, errorDomain));
  }
  return {
    find: (call) => targets.get(call.path) ?? (isGrpcRequest(call) ? unimplemented : undefined),
  };
}

function createTarget(handler: UniversalHandler, { limits }: RpcDoorOptions, errorDomain: string): RpcTarget {
  const { bodyBytes, stalledWriteMs } = limits;
  const { method } = handler;
  const routes = {
    connect: routeOf(method, 'connect'),
    grpc: routeOf(method, 'grpc'),
    grpcWeb: routeOf(method, 'grpc_web'),
  };
  return {
    route({ req }) {
      const type = req.headers['content-type'] ?? '';
      if (!type.startsWith('application/grpc')) return routes.connect;
      return type.startsWith('application/grpc-web') ? routes.grpcWeb : routes.grpc;
    },
    async serve(call) {
      const response = await handler(toUniversalRequest(call, { bodyBytes, errorDomain }));
      await writeUniversalResponse(call, response, routes.grpc.isStream, stalledWriteMs);
    },
  };
}

const unimplemented: RpcTarget = {
  route: () => unknownRoute,
  serve: async (call) => sendUnimplemented(call),
};
