import type { Renderer } from '../../ports/renderer.ts';
import type { Metrics } from '../../telemetry/metrics.ts';
import { reasonOf, type Tracer, traced } from '../../telemetry/tracer.ts';

/** Counts, times and traces documents. */
export function watchRenderer<Pool extends Renderer & { readonly waiting: number }>(
  pool: Pool,
  metrics: Metrics,
  tracer: Tracer | null,
): Renderer {
  let unfinished = 0;
  metrics.gauge('service_document_jobs', () => [
    [['waiting'], pool.waiting],
    [['active'], unfinished - pool.waiting],
  ]);

  const render: Renderer['render'] = async (job, signal) => {
    const { format } = job;
    const startedAt = performance.now();
    let outcome = 'ok';
    unfinished += 1;
    try {
      const document = await pool.render(job, signal);
      metrics.histogram('service_document_size_bytes', [format]).observe(document.bytes.length);
      return document;
    } catch (error) {
      outcome = signal?.aborted === true ? 'cancelled' : reasonOf(error);
      throw error;
    } finally {
      unfinished -= 1;
      const seconds = (performance.now() - startedAt) / 1_000;
      metrics.histogram('service_document_duration_seconds', [format]).observe(seconds);
      metrics.counter('service_documents_total', [format, outcome]).value += 1;
    }
  };

  return {
    render(job, signal) {
      if (tracer === null) return render(job, signal);
      const attributes = { 'service.document.format': job.format };
      return traced(tracer, `render ${job.format}`, { attributes }, async (span) => {
        const document = await render(job, signal);
        span.set({ 'service.document.size': document.bytes.length });
        return document;
      });
    },
    close: () => pool.close(),
  };
}
