import { afterAll, expect, test } from 'vitest';
import { renderWord } from '../../../src/documents/docx/render-word.ts';
import { renderReport } from '../../../src/documents/pdf/render-report.ts';
import { createDocumentPool } from '../../../src/documents/pool/document-pool.ts';
import { renderDeck } from '../../../src/documents/pptx/render-deck.ts';
import { renderWorkbook } from '../../../src/documents/xlsx/render-workbook.ts';
import type { RenderedDocument, RenderJob } from '../../../src/ports/renderer.ts';
import { measurePool } from '../../bench/documents/pool.ts';
import { jobsOf } from './mixed-jobs.ts';

const pool = createDocumentPool({ threads: 1, onWorkerFault: () => undefined });
afterAll(() => pool.close());

function renderHere(job: RenderJob): Promise<RenderedDocument> {
  switch (job.format) {
    case 'xlsx':
      return renderWorkbook(job);
    case 'pdf':
      return renderReport(job);
    case 'pptx':
      return renderDeck(job);
    case 'docx':
      return renderWord(job);
  }
}

test.for(jobsOf(20).map((job) => [job.format, job] as const))(
  'a %s comes out of a thread as it does of its engine, each time the same',
  async ([, job]) => {
    const expected = await renderHere(job);
    for (let run = 0; run < 2; run++) {
      const { bytes, warnings } = await pool.render(job);
      expect(Buffer.from(bytes).equals(expected.bytes)).toBe(true);
      expect(warnings).toEqual(expected.warnings);
    }
  },
);

test('a mixed load is rendered while the calling thread goes on', async () => {
  const figures = await measurePool(40, 2);
  expect(figures.memory.samples.length).toBeGreaterThan(0);
  console.info(JSON.stringify(figures));
});
