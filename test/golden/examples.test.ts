import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { exampleSpecs } from '../../src/domain/documents/example-specs.ts';
import { extensionOf } from '../../src/domain/documents/filename.ts';
import type { EngineName } from '../../src/domain/errors.ts';
import { describeWith, findProgram } from '../programs.ts';
import { type RunningService, startService } from '../service/start-service.ts';
import { expectPictureLike } from './compare-png.ts';

const run = promisify(execFile);
const soffice = findProgram('soffice', 'libreoffice');
const pdftoppm = findProgram('pdftoppm');
const golden = join(import.meta.dirname, 'examples');

/** Pages that each example has when LibreOffice or poppler shows it. */
const pages: Readonly<Record<EngineName, number>> = { excel: 2, pdf: 1, pptx: 2, docx: 1 };

describeWith(
  { name: 'LibreOffice with poppler', path: pdftoppm === undefined ? undefined : soffice },
  'the examples of the README',
  () => {
    let service: RunningService;
    let folder: string;

    beforeAll(async () => {
      service = await startService({}, { clock: { now: () => Date.UTC(2026, 4, 10, 12) } });
      folder = mkdtempSync(join(tmpdir(), 'examples-'));
    });
    afterAll(async () => {
      await service?.stop();
      rmSync(folder, { recursive: true, force: true });
    });

    test.for(Object.keys(pages) as EngineName[])(
      'look as they did: %s',
      { timeout: 120_000 },
      async (engine) => {
        const path = join(folder, `${engine}.${extensionOf[engine]}`);
        const res = await fetch(`${service.url}/v1/${engine}`, {
          method: 'POST',
          headers: { authorization: `Bearer ${service.apiKey}`, 'content-type': 'application/json' },
          body: JSON.stringify(exampleSpecs[engine]),
        });
        expect(res.status).toBe(200);
        writeFileSync(path, Buffer.from(await res.arrayBuffer()));
        if (engine !== 'pdf') {
          const profile = `-env:UserInstallation=file://${join(folder, 'profile')}`;
          await run(soffice as string, [
            '--headless',
            profile,
            '--convert-to',
            'pdf',
            '--outdir',
            folder,
            path,
          ]);
        }
        await run(pdftoppm as string, [
          '-r',
          '60',
          '-png',
          join(folder, `${engine}.pdf`),
          join(folder, engine),
        ]);
        const pictures = readdirSync(folder)
          .filter((name) => name.startsWith(`${engine}-`))
          .sort();
        expect(pictures).toHaveLength(pages[engine]);
        for (const picture of pictures)
          expectPictureLike(join(golden, picture), readFileSync(join(folder, picture)), 0.02);
      },
    );
  },
);
