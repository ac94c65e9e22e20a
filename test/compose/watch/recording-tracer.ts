import type { SpanAttributes, SpanOptions, Tracer } from '../../../src/telemetry/tracer.ts';

/** A span as it was told. */
export interface RecordedSpan {
  name: string;
  readonly options: SpanOptions;
  attributes: SpanAttributes;
  failure: string | undefined;
  isEnded: boolean;
}

/** Keeps the spans that are begun. */
export function createRecordingTracer(): { readonly tracer: Tracer; readonly spans: RecordedSpan[] } {
  const spans: RecordedSpan[] = [];
  const tracer: Tracer = {
    begin(name, options = {}) {
      const { attributes = {} } = options;
      const span: RecordedSpan = { name, options, attributes, failure: undefined, isEnded: false };
      spans.push(span);
      return {
        rename: (to) => {
          span.name = to;
        },
        set: (more) => {
          span.attributes = { ...span.attributes, ...more };
        },
        fail: (reason) => {
          span.failure = reason;
        },
        run: (work) => work(),
        end: () => {
          span.isEnded = true;
        },
      };
    },
    current: () => null,
    close: async () => {},
  };
  return { tracer, spans };
}
