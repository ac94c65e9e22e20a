import { workerData } from 'piscina';
import type { DocumentFormat } from '../../domain/documents/formats.ts';
import { type Engines, serve } from './serve.ts';
import { warmUpSpecs } from './warm-up.ts';

const engines: Engines = {
  xlsx: async () => (await import('../xlsx/render-workbook.ts')).renderWorkbook,
  pdf: async () => (await import('../pdf/render-report.ts')).renderReport,
  pptx: async () => (await import('../pptx/render-deck.ts')).renderDeck,
  docx: async () => (await import('../docx/render-word.ts')).renderWord,
};

/** Renders documents in a worker thread. */
export default serve(engines);

void warmUp((workerData as { readonly preload: readonly DocumentFormat[] }).preload);

async function warmUp(formats: readonly DocumentFormat[]): Promise<void> {
  for (const format of formats) {
    try {
      const render = await engines[format]();
      await render({ spec: warmUpSpecs[format] as never, images: new Map(), createdAtMs: 0 });
    } catch {
      // An engine that cannot be loaded fails the jobs that need it, not the thread.
    }
  }
}
