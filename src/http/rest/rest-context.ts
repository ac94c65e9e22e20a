import type { DescMethod, DescService } from '@bufbuild/protobuf';
import type { ContextValues, HandlerContext } from '@connectrpc/connect';
import type { Call } from '../call.ts';

/** Name of the REST door beside "connect", "grpc" and "grpc-web" in a handler's context. */
export const restProtocolName = 'rest';

/** The context of a call through the REST door; plain properties, since Connect's invoker copies them. */
export interface RestContext extends HandlerContext {
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
    requestHeader: toHeaders(call.req.headers),
    responseHeader: new Headers(),
    responseTrailer: new Headers(),
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

/** Returns a request's headers as Connect has them; HTTP/2's pseudo-headers are left out. */
export function toHeaders(headers: Record<string, string | readonly string[] | undefined>): Headers {
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
