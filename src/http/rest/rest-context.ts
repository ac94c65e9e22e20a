import type { DescMethod, DescService } from '@bufbuild/protobuf';
import type { ContextValues, HandlerContext } from '@connectrpc/connect';
import type { Call } from '../call.ts';
import { HeaderMap } from '../header-map.ts';

/** Name of the REST door beside "connect", "grpc" and "grpc-web" in a handler's context. */
export const restProtocolName = 'rest';

/** The context of a call through the REST door; plain properties, since Connect's invoker copies them. */
export interface RestContext extends HandlerContext {
  readonly responseHeader: HeaderMap;
  abort(reason: unknown): void;
}

/** Returns the context of a call. Its signal fires when the client goes away or the server ends the call. */
export function createRestContext(call: Call, method: DescMethod): RestContext {
  const controller = new AbortController();
  return {
    method,
    service: method.parent as DescService,
    signal: controller.signal,
    timeoutMs: noTimeout,
    requestMethod: call.method,
    requestHeader: new HeaderMap(call.req.headers),
    responseHeader: new HeaderMap(),
    responseTrailer: new HeaderMap(),
    protocolName: restProtocolName,
    values: call.values satisfies ContextValues,
    url: call.req.url ?? '',
    // A reason of one's own spares the DOMException that abort() would make.
    abort: (reason) => controller.abort(reason),
  };
}

function noTimeout(): undefined {
  return undefined;
}
