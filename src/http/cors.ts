import { exposedHeaders } from '../rpc/gate/standing-headers.ts';
import type { Call } from './call.ts';

export interface Cors {
  /** Adds what a browser needs to let a script read the answer; nothing for a request without an Origin. */
  addHeaders(call: Call): void;
  /** Returns the headers of the answer to a preflight, or undefined when the request is none. */
  preflight(call: Call): Record<string, string> | undefined;
}

/** Headers that a gRPC-Web client reads where an answer has no body. */
const grpcWebHeaders = ['Grpc-Status', 'Grpc-Message', 'Grpc-Status-Details-Bin'];

/** Seconds for which a browser may keep a preflight's answer; browsers cap it themselves. */
const preflightMaxAgeSeconds = 7200;

/**
 * Answers cross-origin questions (Fetch standard, section 3.2). Credentials are never allowed, so that `*` is safe:
 * the key is in a header that the script sets itself.
 *
 * @param origins allowed origins, or `*` for all
 */
export function createCors(origins: readonly string[]): Cors {
  const allowsAll = origins.includes('*');
  const allowed = new Set(origins);
  const exposed = [...exposedHeaders, ...grpcWebHeaders].join(', ');
  const allowOrigin = (call: Call): string | undefined => {
    const { origin } = call.req.headers;
    if (origin === undefined) return undefined;
    if (allowsAll) return '*';
    call.standingHeaders.vary = 'Origin';
    return allowed.has(origin) ? origin : undefined;
  };
  return {
    addHeaders(call) {
      const origin = allowOrigin(call);
      if (origin === undefined) return;
      call.standingHeaders['access-control-allow-origin'] = origin;
      call.standingHeaders['access-control-expose-headers'] = exposed;
    },
    preflight({ method, req }) {
      const { origin, 'access-control-request-method': asked } = req.headers;
      if (method !== 'OPTIONS' || origin === undefined || asked === undefined) return undefined;
      return {
        'access-control-allow-methods': 'GET, HEAD, POST, PUT, PATCH, DELETE',
        'access-control-allow-headers': String(req.headers['access-control-request-headers'] ?? '*'),
        'access-control-max-age': String(preflightMaxAgeSeconds),
      };
    },
  };
}
