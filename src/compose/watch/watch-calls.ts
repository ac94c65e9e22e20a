import {
  type CallRecord,
  type CallRoute,
  type CallWatch,
  isFault,
  type WatchCall,
} from '../../http/call-watch.ts';
import type { CounterCell, HistogramCell } from '../../telemetry/metric-cells.ts';
import type { Metrics } from '../../telemetry/metrics.ts';
import type { Span, Tracer } from '../../telemetry/tracer.ts';
import type { CountRefusal } from './count-refusals.ts';

/** What is counted of the calls of one route, looked up once. */
interface RouteCells {
  readonly duration: HistogramCell;
  readonly outcomes: Map<string, CounterCell>;
}

/** Returns what counts, times and traces each call. */
export function watchCalls(metrics: Metrics, tracer: Tracer | null, countRefusal: CountRefusal): WatchCall {
  const cells = new Map<CallRoute, RouteCells>();
  let inFlight = 0;
  let streams = 0;
  metrics.gauge('service_calls_in_flight', () => [[[], inFlight]]);
  metrics.gauge('service_streams_open', () => [[[], streams]]);

  function cellsOf(route: CallRoute): RouteCells {
    let known = cells.get(route);
    if (known === undefined) {
      const { rpc, protocol } = route;
      const duration = metrics.histogram('service_call_duration_seconds', [rpc, protocol]);
      known = { duration, outcomes: new Map() };
      cells.set(route, known);
    }
    return known;
  }

  function note({ route, outcome, durationMs }: CallRecord): void {
    const { duration, outcomes } = cellsOf(route);
    duration.observe(durationMs / 1_000);
    let counter = outcomes.get(outcome);
    if (counter === undefined) {
      counter = metrics.counter('service_calls_total', [route.rpc, route.protocol, outcome]);
      outcomes.set(outcome, counter);
    }
    counter.value += 1;
    if (outcome !== 'ok') countRefusal(outcome);
  }

  class Watch implements CallWatch {
    #isStream = false;
    routed({ isStream }: CallRoute): void {
      this.#isStream = isStream;
      if (isStream) streams += 1;
    }
    run<T>(work: () => T): T {
      return work();
    }
    ended(record: CallRecord): void {
      inFlight -= 1;
      if (this.#isStream) streams -= 1;
      note(record);
    }
  }

  class TracedWatch extends Watch {
    readonly #span: Span;
    constructor(span: Span) {
      super();
      this.#span = span;
    }
    override routed(route: CallRoute): void {
      super.routed(route);
      describeRoute(this.#span, route);
    }
    override run<T>(work: () => T): T {
      return this.#span.run(work);
    }
    override ended(record: CallRecord): void {
      super.ended(record);
      describeEnd(this.#span, record);
      this.#span.end();
    }
  }

  return (requestId, traceParent) => {
    inFlight += 1;
    if (tracer === null) return new Watch();
    const attributes = { 'service.request_id': requestId };
    return new TracedWatch(tracer.begin('call', { kind: 'server', attributes, traceParent }));
  };
}

/** OpenTelemetry's semantic conventions for RPC and HTTP servers. */
function describeRoute(span: Span, { rpc, template, protocol }: CallRoute): void {
  if (protocol === 'rest' || protocol === 'http') {
    span.set({ 'service.method': rpc, ...(template !== undefined && { 'http.route': template }) });
    return;
  }
  span.rename(rpc);
  span.set({ 'rpc.system.name': protocol === 'connect' ? 'connectrpc' : 'grpc', 'rpc.method': rpc });
}

function describeEnd(span: Span, record: CallRecord): void {
  const { method, route, status, outcome } = record;
  const { protocol, rpc, template } = route;
  if (protocol === 'rest' || protocol === 'http') {
    const known = httpMethods.has(method) ? method : '_OTHER';
    span.rename(`${known} ${template ?? rpc}`);
    span.set({ 'http.request.method': known, 'http.response.status_code': status });
  }
  span.set({ 'service.outcome': outcome });
  // A refusal is the caller's failure (semantic conventions for HTTP, "Status").
  if (isFault(record)) span.fail(outcome);
}

const httpMethods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);
