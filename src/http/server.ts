import type { IncomingHttpHeaders, ServerHttp2Stream } from 'node:http2';
import type { DescService } from '@bufbuild/protobuf';
import type { ConnectRouter, HandlerContext, Interceptor } from '@connectrpc/connect';
import { ServiceError, toServiceError } from '../domain/errors.ts';
import { limits as domainLimits } from '../domain/limits.ts';
import { accessOf } from '../rpc/gate/access.ts';
import type { HealthCheck } from '../rpc/health-check.ts';
import { registerReflection } from '../rpc/reflection.ts';
import { validateInterceptor } from '../rpc/validate.ts';
import { cutOff, sendAnswer, sendError } from './answer.ts';
import { type Call, createCall, type Request, type Response } from './call.ts';
import {
  type CallRecord,
  type CallWatch,
  pageRoute,
  probeRoute,
  routeOf,
  unknownRoute,
  type WatchCall,
} from './call-watch.ts';
import { createClientAddress } from './client-address.ts';
import { createCors } from './cors.ts';
import { createErrorInterceptor } from './error-interceptor.ts';
import { createCallFollower } from './follow-calls.ts';
import { createGrpcDoor } from './grpc/grpc-door.ts';
import { HeaderMap } from './header-map.ts';
import { createInvoker } from './invoke.ts';
import { createListener, type ListenerLimits, type TlsOptions } from './listener.ts';
import { createPages } from './pages.ts';
import { type Probes, probeHeaders } from './probes.ts';
import type { Binding } from './rest/binding.ts';
import { chooseTarget } from './rest/choose-target.ts';
import type { RestLimits } from './rest/rest-options.ts';
import type { RouteMatch } from './rest/route-table.ts';
import { serveRest } from './rest/serve.ts';
import { createRpcDoor } from './rpc-door.ts';
import { createServices, type Services } from './services.ts';

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
  /** Answered outside /v1 and counted nowhere. */
  readonly probes?: Probes;
  /** Told of every request when its answer has ended. */
  readonly log?: (record: CallRecord) => void;
  /** Follows every call from its head on. */
  readonly watch?: WatchCall;
}

export interface HttpServer {
  /** The services of `routes`. */
  readonly services: readonly DescService[];
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
  const openCalls = new Set<(reason: Error) => void>();
  const services: Services = createServices((router) => {
    options.routes(router);
    options.health?.register(router);
    registerReflection(router, () => services.descriptors);
  });
  const productServices = services.descriptors.filter(({ typeName }) => !typeName.startsWith('grpc.'));
  const pages = createPages(services.bindings, { publicUrl: options.publicUrl, errorsBase });
  const errorDomain = errorDomainOf(errorsBase);
  const own = options.interceptors ?? [];
  const interceptors = [createErrorInterceptor(errorDomain), ...own, validateInterceptor];
  const shared = { gate: options.gate, limits, openCalls, invoker: createInvoker(own) };
  const rest = { ...shared, errorsBase };
  const rpcDoor = createRpcDoor(services.specs, { ...shared, errorDomain, interceptors });
  const follower = createCallFollower(options);
  const grpcDoor = createGrpcDoor(services.specs, { ...shared, errorDomain, onCall: follower?.followGrpc });
  const restRoutes = new Map(
    services.bindings.map((binding) => [binding, routeOf(binding.method, 'rest', binding.path)]),
  );
  const cors = createCors(options.corsOrigins ?? ['*']);
  const clientAddress = createClientAddress(options.trustedProxies ?? []);
  const listener = createListener({ onRequest, onStream, limits, errorsBase, tls: options.tls });

  function onRequest(req: Request, res: Response, expectsContinue: boolean): void {
    const address = clientAddress(req.socket.remoteAddress, req.headers['x-forwarded-for']);
    const call = createCall(req, res, address, expectsContinue);
    try {
      const watch = follower?.follow(call);
      cors.addHeaders(call);
      if (lacksHost(req)) refuseWithoutHost(call);
      else begin(call, watch)?.catch((error) => fail(call, error));
    } catch (error) {
      fail(call, error);
    }
  }

  function onStream(stream: ServerHttp2Stream, headers: IncomingHttpHeaders): boolean {
    const address = clientAddress(stream.session?.socket.remoteAddress, headers['x-forwarded-for']);
    return grpcDoor(stream, headers, address);
  }

  /** Finds what a call is of, and serves it. */
  function begin(call: Call, watch: CallWatch | undefined): Promise<void> | void {
    const work = find(call);
    watch?.routed(call.route);
    return watch === undefined ? work() : watch.run(work);
  }

  function find(call: Call): () => Promise<void> | void {
    const preflight = cors.preflight(call);
    if (preflight !== undefined) return () => sendAnswer(call, 204, preflight, '');
    const probe = call.method === 'GET' || call.method === 'HEAD' ? options.probes?.(call.path) : undefined;
    if (probe !== undefined) {
      call.route = probeRoute;
      return async () => {
        const { status, body } = await probe;
        sendAnswer(call, status, { ...probeHeaders }, body);
      };
    }
    const page = pages(call);
    if (page !== undefined) {
      call.route = pageRoute;
      return () => sendAnswer(call, 200, { ...page.headers }, page.body);
    }
    const rpc = rpcDoor.find(call);
    if (rpc !== undefined) {
      call.route = rpc.route(call);
      return () => rpc.serve(call);
    }
    const match = services.routes.match(call.method, call.path);
    if (match.kind !== 'found') return () => count(call, () => refuseRoute(call, match));
    const binding = chooseTarget(match.targets, call.req.headers.accept);
    call.route = restRoutes.get(binding) ?? unknownRoute;
    const serve = () => serveRest(call, binding, match.values, rest);
    return accessOf(binding.method).kind === 'apiKey' ? serve : () => count(call, serve);
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
    if (call.res.headersSent) cutOff(call, error);
    else sendError(call, toServiceError(error), errorsBase);
  }

  return {
    services: productServices,
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
