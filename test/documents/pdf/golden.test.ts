import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'vitest';
import { renderReport } from '../../../src/documents/pdf/render-report.ts';
import { expectPictureLike } from '../../golden/compare-png.ts';
import { describeWith, findProgram } from '../../programs.ts';
import { exampleImages, exampleReports } from './example-reports.ts';

const goldenFolder = join(import.meta.dirname, '../../golden/pdf');
const pdftoppm = findProgram('pdftoppm');

describeWith(
  { name: 'pdftoppm', path: pdftoppm },
  'pages look as they were when somebody looked at them',
  () => {
    test.for(exampleReports)('$name', async ({ name, spec, pages }) => {
      const { bytes } = await renderReport({
        spec,
        images: exampleImages,
        createdAtMs: Date.UTC(2026, 5, 1),
      });
      const folder = mkdtempSync(join(tmpdir(), 'golden-pdf-'));
      try {
        writeFileSync(join(folder, 'report.pdf'), bytes);
        for (const page of pages) {
          const options = ['-r', '60', '-png', '-f', String(page), '-l', String(page), '-singlefile'];
          execFileSync(pdftoppm ?? '', [...options, join(folder, 'report.pdf'), join(folder, 'page')]);
          const file = pages.length === 1 ? `${name}.png` : `${name}-${page}.png`;
          expectPictureLike(join(goldenFolder, file), readFileSync(join(folder, 'page.png')));
        }
      } finally {
        rmSync(folder, { recursive: true });
      }
    });
  },
);
