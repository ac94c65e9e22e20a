import type { DescMethod } from '@bufbuild/protobuf';
import { Code, ConnectError } from '@connectrpc/connect';
import { type ErrorSlug, errorCatalogue, ServiceError } from '../domain/errors.ts';
import { fromConnectError } from '../rpc/connect-error.ts';

/** What a call is of, once its head has been looked up. The same object for all calls of the same. */
export interface CallRoute {
  /** `service.health.v1.HealthService/GetHealth`; of what is no method: `page`, `probe` or `none`. */
  readonly rpc: string;
  /** The path's template as the proto has it; undefined but for REST. */
  readonly template: string | undefined;
  readonly protocol: 'rest' | 'connect' | 'grpc' | 'grpc_web' | 'http';
  /** Whether the answer is a stream. */
  readonly isStream: boolean;
}

/** How a call ended: `cancelled` when the client left before its answer did. */
export type CallOutcome = 'ok' | 'cancelled' | 'deadline_exceeded' | ErrorSlug;

/** What there is to say of one call. */
export interface CallRecord {
  readonly requestId: string;
  readonly clientAddress: string;
  readonly method: string;
  readonly path: string;
  readonly route: CallRoute;
  /** The HTTP status as sent, also where a failure follows it; of a plain gRPC call the one of its failure over REST. */
  readonly status: number;
  readonly outcome: CallOutcome;
  /** From the head of the call to the end of its answer. */
  readonly durationMs: number;
  /** What failed, with its private cause; undefined when nothing did. */
  readonly failure: unknown;
}

/** Follows one call. Whatever it does costs the call time. */
export interface CallWatch {
  /** Told before the call is served. */
  routed(route: CallRoute): void;
  /** Does what serves the call. */
  run<T>(work: () => T): T;
  ended(record: CallRecord): void;
}

/** @param traceParent the header of W3C Trace Context, as sent */
export type WatchCall = (requestId: string, traceParent: string | undefined) => CallWatch;

export const unknownRoute: CallRoute = {
  rpc: 'none',
  template: undefined,
  protocol: 'http',
  isStream: false,
};
export const pageRoute: CallRoute = { ...unknownRoute, rpc: 'page' };
export const probeRoute: CallRoute = { ...unknownRoute, rpc: 'probe' };

/** Returns the route of a method over a protocol. */
export function routeOf(
  { parent, name, methodKind }: DescMethod,
  protocol: CallRoute['protocol'],
  template?: string,
): CallRoute {
  const isStream = methodKind === 'server_streaming' || methodKind === 'bidi_streaming';
  return { rpc: `${parent.typeName}/${name}`, template, protocol, isStream };
}

/** Whether the service is to blame for how a call ended. Over most protocols the status alone does not say so. */
export function isFault({ status, outcome }: Pick<CallRecord, 'status' | 'outcome'>): boolean {
  if (status >= 500) return true;
  if (outcome === 'ok' || outcome === 'cancelled' || outcome === 'deadline_exceeded') return false;
  return errorCatalogue[outcome].status >= 500;
}

/** @param isLeft whether the client left before the end of its answer */
export function outcomeOf(failure: unknown, isLeft: boolean): CallOutcome {
  if (isLeft) return 'cancelled';
  if (failure === undefined) return 'ok';
  if (failure instanceof ConnectError && !(failure.cause instanceof ServiceError)) {
    if (failure.code === Code.DeadlineExceeded) return 'deadline_exceeded';
    if (failure.code === Code.Canceled) return 'cancelled';
  }
  return fromConnectError(failure).slug;
}
