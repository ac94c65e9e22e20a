/** What a span says of its work: names, numbers and states, never what was sent or answered. */
export type SpanAttributes = Readonly<Record<string, string | number | boolean>>;

export interface SpanOptions {
  /** `server`: a call from outside; `client`: one to outside; `consumer`: work from a queue. Default: `internal`. */
  readonly kind?: 'internal' | 'server' | 'client' | 'consumer';
  readonly attributes?: SpanAttributes;
  /** A W3C traceparent from outside, taken for the parent in place of what runs now. One that is none counts for nothing. */
  readonly traceParent?: string | undefined;
  /** A W3C traceparent of what set the work off, in a trace of its own; what runs now is then no parent. */
  readonly cause?: string | undefined;
}

/** A piece of work in a trace. */
export interface Span {
  rename(name: string): void;
  set(attributes: SpanAttributes): void;
  /** Marks the work as failed, for a reason of few words (`error.type`). */
  fail(reason: string): void;
  /** Does something whose spans are parts of this one. */
  run<T>(work: () => T): T;
  end(): void;
}

export interface Tracer {
  /** Begins a span, as a part of the one that runs now. */
  begin(name: string, options?: SpanOptions): Span;
  /** The W3C traceparent of what runs now; null when nothing does. */
  current(): string | null;
  /** Sends what is left. Resolves in any case, at the latest after `limitMs`. */
  close(limitMs: number): Promise<void>;
}

/** Does work within a span, which fails when the work does. */
export async function traced<T>(
  tracer: Tracer,
  name: string,
  options: SpanOptions,
  work: (span: Span) => Promise<T>,
): Promise<T> {
  const span = tracer.begin(name, options);
  try {
    return await span.run(() => work(span));
  } catch (error) {
    span.fail(reasonOf(error));
    throw error;
  } finally {
    span.end();
  }
}

/** Returns a failure's slug, kind or class, none of which holds a text of somebody's. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  for (const name of ['slug', 'kind'] as const) {
    const value: unknown = name in error ? error[name as keyof typeof error] : undefined;
    if (typeof value === 'string') return value;
  }
  return error.name;
}
