import { workerData } from 'piscina';
import type { DocumentFormat } from '../../domain/documents/formats.ts';
import { type Engines, serve } from './serve.ts';

const engines: Engines = {
  xlsx: async () => (await import('../xlsx/render-workbook.ts')).renderWorkbook,
  pdf: async () => (await import('../pdf/render-report.ts')).renderReport,
  pptx: async () => (await import('../pptx/render-deck.ts')).renderDeck,
  docx: async () => (await import('../docx/render-word.ts')).renderWord,
};

for (const format of (workerData as { readonly preload: readonly DocumentFormat[] }).preload) {
  // An engine that cannot be loaded fails the jobs that need it, not the worker.
  engines[format]().catch(() => undefined);
}

/** Renders documents in a worker thread. */
export default serve(engines);
