import type { Config, Secrets } from '../config.ts';
import { createMetrics, type Metrics } from '../telemetry/metrics.ts';
import type { Tracer } from '../telemetry/tracer.ts';
import { type CountRefusal, countRefusals } from './watch/count-refusals.ts';

export interface Telemetry {
  readonly metrics: Metrics;
  /** Null: nothing is traced. */
  readonly tracer: Tracer | null;
  readonly countRefusal: CountRefusal;
}

/** Opens metrics, and traces when there is somewhere to send them; nothing of OpenTelemetry is loaded otherwise. */
export async function openTelemetry(
  { traces }: Config,
  { traceHeaders }: Secrets,
  report: (message: string, cause: unknown) => void,
): Promise<Telemetry> {
  const metrics = createMetrics();
  const countRefusal = countRefusals(metrics);
  if (traces === null) return { metrics, tracer: null, countRefusal };
  const { openOtlpTracer } = await import('../telemetry/otlp-tracer.ts');
  return { metrics, tracer: openOtlpTracer({ ...traces, headers: traceHeaders, report }), countRefusal };
}
