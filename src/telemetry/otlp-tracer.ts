import { AsyncLocalStorage } from 'node:async_hooks';
import {
  type Context,
  type Link,
  type Span as OtelSpan,
  ROOT_CONTEXT,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import { ExportResultCode, parseTraceParent } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  type SpanExporter,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import type { Span, SpanOptions, Tracer } from './tracer.ts';

export interface OtlpTracerOptions {
  /** Of the collector, with its path. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly serviceName: string;
  /** 0 to 1: the share of the traces begun here that are kept. */
  readonly ratio: number;
  /** Told of the first failure of each outage of the collector. */
  readonly report: (message: string, cause: unknown) => void;
}

/** For one batch to be taken, retries included. */
const exportTimeoutMs = 10_000;

/**
 * Returns a tracer that sends its spans in batches to an OpenTelemetry collector (OTLP over HTTP, in JSON). A collector
 * that is away or slow costs spans, never calls: at most 2,048 wait, and the rest are dropped.
 */
export function openOtlpTracer(options: OtlpTracerOptions): Tracer {
  const { url, headers, serviceName, ratio, report } = options;
  const exporter = new OTLPTraceExporter({ url, headers: { ...headers }, timeoutMillis: exportTimeoutMs });
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': serviceName }),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(ratio) }),
    spanProcessors: [
      new BatchSpanProcessor({
        exporter: reporting(exporter, report),
        scheduledDelayMillis: 2_000,
        exportTimeoutMillis: exportTimeoutMs,
      }),
    ],
  });
  const tracer = provider.getTracer('service');
  const running = new AsyncLocalStorage<Context>();

  return {
    begin(name, spanOptions = {}) {
      const { kind = 'internal', attributes = {}, cause } = spanOptions;
      const parent = parentOf(spanOptions, running.getStore() ?? ROOT_CONTEXT);
      const links = toLinks(cause);
      const span = tracer.startSpan(
        name,
        { kind: kinds[kind], attributes: { ...attributes }, links },
        parent,
      );
      return toSpan(span, running, trace.setSpan(parent, span));
    },

    current() {
      const context = trace.getSpanContext(running.getStore() ?? ROOT_CONTEXT);
      return context === undefined ? null : toTraceParent(context);
    },

    async close(limitMs) {
      let timer: ReturnType<typeof setTimeout> | undefined;
      const late = new Promise<never>((_, reject) => {
        timer = setTimeout(() => reject(new Error(`no answer within ${limitMs} ms`)), limitMs);
      });
      try {
        await Promise.race([provider.shutdown(), late]);
      } catch (error) {
        report('the last traces were not sent', error);
      } finally {
        clearTimeout(timer);
      }
    },
  };
}

const kinds = {
  internal: SpanKind.INTERNAL,
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  consumer: SpanKind.CONSUMER,
} as const;

function parentOf({ traceParent, cause }: SpanOptions, present: Context): Context {
  if (cause !== undefined) return ROOT_CONTEXT;
  const remote = traceParent === undefined ? null : parseTraceParent(traceParent);
  return remote === null ? present : trace.setSpanContext(ROOT_CONTEXT, { ...remote, isRemote: true });
}

function toLinks(cause: string | undefined): Link[] {
  const context = cause === undefined ? null : parseTraceParent(cause);
  return context === null ? [] : [{ context: { ...context, isRemote: true } }];
}

/** W3C Trace Context, section 3.2. */
function toTraceParent({ traceId, spanId, traceFlags }: SpanContext): string {
  return `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`;
}

function toSpan(span: OtelSpan, running: AsyncLocalStorage<Context>, context: Context): Span {
  return {
    rename: (name) => void span.updateName(name),
    set: (attributes) => void span.setAttributes({ ...attributes }),
    fail(reason) {
      span.setAttribute('error.type', reason);
      span.setStatus({ code: SpanStatusCode.ERROR });
    },
    run: (work) => running.run(context, work),
    end: () => span.end(),
  };
}

function reporting(exporter: SpanExporter, report: OtlpTracerOptions['report']): SpanExporter {
  let isAway = false;
  return {
    export(spans, done) {
      exporter.export(spans, (result) => {
        const failed = result.code === ExportResultCode.FAILED;
        if (failed && !isAway) report('traces cannot be sent', result.error);
        isAway = failed;
        done(result);
      });
    },
    shutdown: () => exporter.shutdown(),
    ...(exporter.forceFlush !== undefined && {
      forceFlush: () => exporter.forceFlush?.() ?? Promise.resolve(),
    }),
  };
}
