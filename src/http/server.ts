import type { IncomingHttpHeaders, ServerHttp2Stream } from 'node:http2';
import type { ConnectRouter, HandlerContext, Interceptor } from '@connectrpc/connect';
import { ServiceError, toServiceError } from '../domain/errors.ts';
import { limits as domainLimits } from '../domain/limits.ts';
import { fromConnectError } from '../rpc/connect-error.ts';
import { accessOf } from '../rpc/gate/access.ts';
import type { HealthCheck } from '../rpc/health-check.ts';
import { registerReflection } from '../rpc/reflection.ts';
import { validateInterceptor } from '../rpc/validate.ts';
import { sendAnswer, sendError } from './answer.ts';
import { type Call, createCall, failureKey, type Request, type Response } from './call.ts';
import { createClientAddress } from './client-address.ts';
import { createCors } from './cors.ts';
import { createErrorInterceptor } from './error-interceptor.ts';
import { createGrpcDoor, type GrpcDoorOptions } from './grpc/grpc-door.ts';
import { HeaderMap } from './header-map.ts';
import { createInvoker } from './invoke.ts';
import { createListener, type ListenerLimits, type TlsOptions } from './listener.ts';
import { createPages } from './pages.ts';
import { statusOf } from './problem.ts';
import type { Binding } from './rest/binding.ts';
import { chooseTarget } from './rest/choose-target.ts';
import type { RouteMatch } from './rest/route-table.ts';
import type { RestLimits } from './rest/rest-options.ts';
import { serveRest } from './rest/serve.ts';
import { createRpcDoor } from './rpc-door.ts';
import { createServices, type Services } from './services.ts';
import { destroySink } from './write-chunk.ts';

export type ServerLimits = RestLimits & ListenerLimits;

export const serverLimitDefaults: ServerLimits = {
  bodyBytes: domainLimits.request.bodyBytes,
  headersTimeoutMs: domainLimits.request.headersTimeoutMs,
  requestTimeoutMs: domainLimits.request.requestTimeoutMs,
  idleHttp2SessionMs: domainLimits.request.idleHttp2SessionMs,
  heartbeatMs: domainLimits.chat.heartbeatMs,
  connectionsCheckingIntervalMs: 1_000,
  keepAliveTimeoutMs: 65_000,
  http2StreamsMax: 200,
  stalledWriteMs: 30_000,
};

/** What the log says of one request. */
export interface RequestRecord {
  readonly requestId: string;
  readonly clientAddress: string;
  readonly method: string;
  readonly path: string;
  /** The HTTP status; of a gRPC call the one that its error has over REST. */
  readonly status: number;
  readonly durationMs: number;
  /** What failed, with its private cause; undefined when nothing did. */
  readonly failure: unknown;
}

export interface HttpServerOptions {
  /** Registers the services, as with any Connect router; options per service are not taken. */
  readonly routes: (router: ConnectRouter) => void;
  /** Crossed by every call of a method that is not public, after its route is known and before its body is read. */
  readonly gate: (context: HandlerContext) => Promise<void>;
  /**
   * Counts a request of an address under /v1 that the gate holds to no key, before its route is answered; the gate
   * counts the others. @throws `ip_rate_limit_exceeded`
   */
  readonly throttle?: (address: string) => Promise<void>;
  /** Around every implementation, the first outermost; errors and validation are added by the server. */
  readonly interceptors?: readonly Interceptor[];
  readonly limits?: Partial<ServerLimits>;
  /** Origins that browsers' scripts may call from; `*` allows all. */
  readonly corsOrigins?: readonly string[];
  /** Addresses and CIDR blocks whose X-Forwarded-For counts. */
  readonly trustedProxies?: readonly string[];
  /** Address prefix of the `type` of problem documents, without a slash at its end. */
  readonly errorsBase: string;
  /** Address of the service in its API description, without a slash at its end. */
  readonly publicUrl: string;
  /** The standard health service, which a closing server sets to NOT_SERVING. */
  readonly health?: HealthCheck;
  readonly tls?: TlsOptions;
  /** Told of every request when its answer has ended. */
  readonly log?: (record: RequestRecord) => void;
  /** Unix milliseconds. */
  readonly now?: () => number;
}

export interface HttpServer {
  /** Port 0 takes a free one. */
  listen(port: number, host: string): Promise<{ port: number }>;
  /**
   * Stops listening and lets calls under way finish; resolves when the last connection has ended. At the deadline,
   * calls are aborted and connections cut.
   */
  close(deadlineMs: number): Promise<void>;
}

/** Returns a server that answers REST, Connect, gRPC-Web and gRPC on one port, from one set of services. */
export function createHttpServer(options: HttpServerOptions): HttpServer {
  const limits = { ...serverLimitDefaults, ...options.limits };
  const { errorsBase, throttle } = options;
  const now = options.now ?? Date.now;
  const openCalls = new Set<(reason: Error) => void>();
  const services: Services = createServices((router) => {
    options.routes(router);
    options.health?.register(router);
    registerReflection(router, () => services.descriptors);
  });
  const pages = createPages(services.bindings, { publicUrl: options.publicUrl, errorsBase });
  const errorDomain = errorDomainOf(errorsBase);
  const own = options.interceptors ?? [];
  const interceptors = [createErrorInterceptor(errorDomain), ...own, validateInterceptor];
  const shared = { gate: options.gate, limits, openCalls, invoker: createInvoker(own) };
  const rest = { ...shared, errorsBase };
  const rpcDoor = createRpcDoor(services.specs, { ...shared, errorDomain, interceptors });
  const onCall = options.log && watchGrpcCall(options.log);
  const grpcDoor = createGrpcDoor(services.specs, { ...shared, errorDomain, onCall });
  const cors = createCors(options.corsOrigins ?? ['*']);
  const clientAddress = createClientAddress(options.trustedProxies ?? []);
  const listener = createListener({ onRequest, onStream, limits, errorsBase, tls: options.tls });

  function onRequest(req: Request, res: Response, expectsContinue: boolean): void {
    const address = clientAddress(req.socket.remoteAddress, req.headers['x-forwarded-for']);
    const call = createCall(req, res, address, expectsContinue);
    try {
      if (options.log !== undefined) logAtEnd(call, options.log);
      cors.addHeaders(call);
      if (lacksHost(req)) refuseWithoutHost(call);
      else answer(call)?.catch((error) => fail(call, error));
    } catch (error) {
      fail(call, error);
    }
  }

  function onStream(stream: ServerHttp2Stream, headers: IncomingHttpHeaders): boolean {
    const address = clientAddress(stream.session?.socket.remoteAddress, headers['x-forwarded-for']);
    return grpcDoor(stream, headers, address);
  }

  function answer(call: Call): Promise<void> | void {
    const preflight = cors.preflight(call);
    if (preflight !== undefined) return sendAnswer(call, 204, preflight, '');
    const page = pages(call);
    if (page !== undefined) return sendAnswer(call, 200, { ...page.headers }, page.body);
    const rpc = rpcDoor.find(call);
    if (rpc !== undefined) return rpc.serve(call);
    const match = services.routes.match(call.method, call.path);
    if (match.kind !== 'found') return count(call, () => refuseRoute(call, match));
    const binding = chooseTarget(match.targets, call.req.headers.accept);
    const serve = () => serveRest(call, binding, match.values, rest);
    return accessOf(binding.method).kind === 'apiKey' ? serve() : count(call, serve);
  }

  function count(call: Call, then: () => Promise<void> | void): Promise<void> | void {
    if (throttle === undefined || !isV1(call.path)) return then();
    return throttle(call.clientAddress).then(then);
  }

  function refuseRoute(call: Call, match: Exclude<RouteMatch<Binding>, { kind: 'found' }>): void {
    const isKnown = match.kind === 'wrongMethod';
    const header = isKnown ? new HeaderMap({ allow: match.allow.join(', ') }) : undefined;
    const detail = isKnown ? 'The path does not take this method.' : 'There is no such path.';
    sendError(call, new ServiceError('not_found', { detail }), errorsBase, header);
  }

  function refuseWithoutHost(call: Call): void {
    const detail = 'A request of HTTP/1.1 must have a Host header.';
    const header = new HeaderMap({ connection: 'close' });
    sendError(call, new ServiceError('invalid_request', { detail }), errorsBase, header);
  }

  function fail(call: Call, error: unknown): void {
    call.values.set(failureKey, error);
    if (call.res.headersSent) destroySink(call.res);
    else sendError(call, toServiceError(error), errorsBase);
  }

  function logAtEnd(call: Call, log: (record: RequestRecord) => void): void {
    const startedAtMs = now();
    call.res.once('close', () => {
      const { requestId, clientAddress, method, path, res } = call;
      const failure = call.values.get(failureKey);
      const durationMs = now() - startedAtMs;
      log({ requestId, clientAddress, method, path, status: res.statusCode, durationMs, failure });
    });
  }

  function watchGrpcCall(log: (record: RequestRecord) => void): GrpcDoorOptions['onCall'] {
    return (path, requestId, clientAddress, values) => {
      const startedAtMs = now();
      return () => {
        const failure = values.get(failureKey);
        const durationMs = now() - startedAtMs;
        const status = failure === undefined ? 200 : statusOf(fromConnectError(failure));
        log({ requestId, clientAddress, method: 'POST', path, status, durationMs, failure });
      };
    };
  }

  return {
    listen: (port, host) => listener.listen(port, host),
    async close(deadlineMs) {
      options.health?.shutdown();
      const deadline = new AbortController();
      const timer = setTimeout(() => {
        for (const abort of openCalls) abort(shutdown);
        deadline.abort(shutdown);
      }, deadlineMs);
      await listener.close(deadline.signal);
      clearTimeout(timer);
    },
  };
}

const shutdown = new Error('the server shuts down');

/** Returns the host of the addresses that errors have, the domain of google.rpc.ErrorInfo. */
function errorDomainOf(errorsBase: string): string {
  return URL.canParse(errorsBase) ? new URL(errorsBase).host : errorsBase;
}

/** Whether the request is one of those that RFC 9112, section 3.2, has refused. */
function lacksHost({ httpVersion, headers }: Request): boolean {
  return httpVersion === '1.1' && headers.host === undefined;
}

function isV1(path: string): boolean {
  return path === '/v1' || path.startsWith('/v1/');
}
