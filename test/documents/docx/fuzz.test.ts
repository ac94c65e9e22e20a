import fc from 'fast-check';
import { expect, test } from 'vitest';
import { packageProblems } from '../ooxml/check-package.ts';
import { officeProblems } from '../ooxml/validate.ts';
import { anyWordSpec } from '../spec-arbitraries.ts';
import { render } from './word-specs.ts';

test('any spec gives a sound package, the same each time', async () => {
  await fc.assert(
    fc.asyncProperty(anyWordSpec, async (spec) => {
      const bytes = await render(spec);
      expect(packageProblems(bytes)).toEqual([]);
      expect(Buffer.from(bytes).equals(Buffer.from(await render(spec)))).toBe(true);
    }),
    { numRuns: 150 },
  );
});

test('any spec gives a document that the schemas accept', async () => {
  // Whole specs in one document: the validator's start costs more than its work.
  const batches = fc.array(anyWordSpec, { minLength: 8, maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(batches, async (specs) => {
      const [first] = specs;
      const sections = specs.flatMap((spec) => spec.sections);
      if (first === undefined) return;
      expect(await officeProblems(await render({ ...first, sections }), 'docx')).toEqual([]);
    }),
    { numRuns: 5 },
  );
}, 120_000);
