import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import fc from 'fast-check';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { renderWord } from '../../src/documents/docx/render-word.ts';
import { readZip } from '../../src/documents/ooxml/zip.ts';
import { renderReport } from '../../src/documents/pdf/render-report.ts';
import { renderDeck } from '../../src/documents/pptx/render-deck.ts';
import { renderWorkbook } from '../../src/documents/xlsx/render-workbook.ts';
import type { ImageAsset } from '../../src/domain/documents/common.ts';
import type { DocumentFormat, SpecByFormat } from '../../src/domain/documents/formats.ts';
import { ServiceError } from '../../src/domain/errors.ts';
import { limits } from '../../src/domain/limits.ts';
import type { RenderedDocument, RenderInput } from '../../src/ports/renderer.ts';
import { describeWith, findProgram } from '../programs.ts';
import { hostileCases } from './hostile-specs.ts';
import { packageProblems } from './ooxml/check-package.ts';
import { officeProblems } from './ooxml/validate.ts';
import { anyDeckSpec, anyReportSpec, anyWordSpec, anyWorkbookSpec } from './spec-arbitraries.ts';

/**
 * Processor time in which a render counts as hung. The aim is 2 s; machines that run tests are slower, and their
 * collector and compiler threads are counted in.
 */
const hangMs = 10_000;
/** Checking the largest files takes longer than making them: of those over this size, so many are enough. */
const largeBytes = { pdf: 2 * 1_048_576, parts: 8 * 1_048_576 };
const largeFilesChecked = 2;

const engines: {
  [Format in DocumentFormat]: (input: RenderInput<SpecByFormat[Format]>) => Promise<RenderedDocument>;
} = {
  docx: renderWord,
  pdf: renderReport,
  pptx: renderDeck,
  xlsx: renderWorkbook,
};
const formats = Object.keys(engines) as DocumentFormat[];

const images = new Map<string, ImageAsset>();
const slowest = new Map<DocumentFormat, { ms: number; name: string }[]>();
const largeFiles = new Map<DocumentFormat, number>();
const qpdf = findProgram('qpdf');
let folder = '';

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hostile-'));
  for (const [asset, width, height] of [
    ['wide', 400, 100],
    ['tall', 2, 6_000],
    ['large', 3_000, 2_000],
  ] as const) {
    const bytes = await sharp({ create: { width, height, channels: 3, background: '#888888' } })
      .png()
      .toBuffer();
    images.set(asset, { kind: 'png', width, height, bytes });
  }
});

afterAll(async () => {
  await rm(folder, { recursive: true });
  for (const [format, runs] of slowest) {
    const worst = runs.sort((a, b) => b.ms - a.ms).slice(0, 3);
    console.info(
      `slowest ${format}: ${worst.map(({ name, ms }) => `${name} ${Math.round(ms)} ms`).join(', ')}`,
    );
  }
});

/** The file, or undefined when the engine refuses the spec as the caller's fault. */
async function render<Format extends DocumentFormat>(
  format: Format,
  spec: SpecByFormat[Format],
  name = 'generated',
): Promise<Uint8Array | undefined> {
  const start = process.cpuUsage();
  try {
    return (await engines[format]({ spec, images, createdAtMs: 0 })).bytes;
  } catch (error) {
    if (error instanceof ServiceError && error.slug === 'spec_invalid') return undefined;
    throw error;
  } finally {
    const { user, system } = process.cpuUsage(start);
    const ms = (user + system) / 1_000;
    slowest.set(format, [...(slowest.get(format) ?? []), { ms, name }]);
    expect(ms, `${format}: ${name}`).toBeLessThan(hangMs);
  }
}

async function problems(format: DocumentFormat, bytes: Uint8Array): Promise<string[]> {
  if (isLarge(format, bytes)) {
    const count = (largeFiles.get(format) ?? 0) + 1;
    largeFiles.set(format, count);
    if (count > largeFilesChecked) return [];
  }
  return format === 'pdf' ? qpdfProblems(bytes) : packageProblems(bytes);
}

function isLarge(format: DocumentFormat, bytes: Uint8Array): boolean {
  if (format === 'pdf') return bytes.byteLength > largeBytes.pdf;
  let size = 0;
  for (const part of readZip(bytes).values()) size += part.byteLength;
  return size > largeBytes.parts;
}

async function qpdfProblems(bytes: Uint8Array): Promise<string[]> {
  if (qpdf === undefined) return [];
  const path = join(folder, `${createHash('sha1').update(bytes).digest('hex')}.pdf`);
  await writeFile(path, bytes);
  try {
    const { stdout, stderr } = await promisify(execFile)(qpdf, ['--check', path]);
    return /No syntax or stream encoding errors/.test(stdout) && stderr === '' ? [] : [stdout, stderr];
  } catch (error) {
    return [String(error)];
  } finally {
    await rm(path);
  }
}

const corpus = hostileCases.flatMap(({ name, specs }) =>
  formats.flatMap((format) => (specs[format] === undefined ? [] : [{ format, name, spec: specs[format] }])),
);

/** What a parsed spec says and a body may leave out. */
const defaults = new Set([
  'x',
  'y',
  'w',
  'h',
  'bold',
  'italic',
  'underline',
  'bullet',
  'beginArrow',
  'endArrow',
]);

function bodyBytesOf(spec: unknown): number {
  const body = JSON.stringify(spec, (key, value) => {
    if (defaults.has(key)) return undefined;
    const isCell =
      typeof value === 'object' && value !== null && 'value' in value && Object.keys(value).length === 1;
    return isCell ? value.value : value;
  });
  return Buffer.byteLength(body);
}

test('the corpus stays within what a caller can send', () => {
  expect(corpus.length).toBeGreaterThan(80);
  for (const { name, format, spec } of corpus) {
    expect(bodyBytesOf(spec), `${format}: ${name}`).toBeLessThanOrEqual(limits.request.bodyBytes);
  }
});

describe('a hostile spec ends soon, in a sound file or as the caller’s fault', () => {
  test.for(corpus)('$format: $name', { timeout: 60_000 }, async ({ format, name, spec }) => {
    const bytes = await render(format, spec as never, name);
    if (bytes !== undefined) expect(await problems(format, bytes)).toEqual([]);
  });
});

const arbitraries: { [Format in DocumentFormat]: fc.Arbitrary<SpecByFormat[Format]> } = {
  docx: anyWordSpec,
  pdf: anyReportSpec,
  pptx: anyDeckSpec,
  xlsx: anyWorkbookSpec,
};

describe('any spec', () => {
  test.for(formats)('gives a sound %s file, the same each time', { timeout: 120_000 }, async (format) => {
    let made = 0;
    await fc.assert(
      fc.asyncProperty(arbitraries[format] as fc.Arbitrary<SpecByFormat[DocumentFormat]>, async (spec) => {
        const bytes = await render(format, spec as never);
        if (bytes === undefined) return;
        made++;
        expect(await problems(format, bytes)).toEqual([]);
        const again = await render(format, spec as never);
        expect(again !== undefined && Buffer.from(bytes).equals(again)).toBe(true);
      }),
      { numRuns: 30 },
    );
    expect(made).toBeGreaterThan(15);
  });

  test.for(['pptx', 'xlsx'] as const)(
    'gives a %s file that the schemas accept',
    { timeout: 120_000 },
    async (format) => {
      await fc.assert(
        fc.asyncProperty(arbitraries[format] as fc.Arbitrary<SpecByFormat[DocumentFormat]>, async (spec) => {
          const bytes = await render(format, spec as never);
          if (bytes !== undefined) expect(await officeProblems(bytes, format)).toEqual([]);
        }),
        { numRuns: 8, endOnFailure: true },
      );
    },
  );
});

describeWith({ name: 'qpdf', path: qpdf }, 'qpdf', () => {
  test('is there to check what the PDF engine makes', () => {
    expect(qpdf).toBeDefined();
  });
});
