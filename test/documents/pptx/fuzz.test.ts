import fc from 'fast-check';
import { expect, test } from 'vitest';
import { renderDeck } from '../../../src/documents/pptx/render-deck.ts';
import { packageProblems } from '../ooxml/check-package.ts';
import { officeProblems } from '../ooxml/validate.ts';
import { deckArbitrary } from './deck-arbitrary.ts';
import { input } from './sample-decks.ts';

test('every deck becomes a sound package', async () => {
  await fc.assert(
    fc.asyncProperty(deckArbitrary, async (spec) => {
      const { bytes } = await renderDeck(input(spec));
      expect(packageProblems(bytes)).toEqual([]);
    }),
    { numRuns: 150 },
  );
});

test('every deck is valid by the schema', { timeout: 120_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(deckArbitrary, async (spec) => {
      const { bytes } = await renderDeck(input(spec));
      expect(await officeProblems(bytes, 'pptx')).toEqual([]);
    }),
    { numRuns: 12, endOnFailure: true },
  );
});
