import bidiFactory, { type Bidi } from 'bidi-js';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { embeddingLevels } from '../../../src/documents/fonts/bidi-levels.ts';
import { removed } from '../../../src/documents/fonts/bidi-paragraph.ts';
import { bidiTypesOf } from '../../../src/documents/fonts/bidi-types.ts';

const reference = (bidiFactory as unknown as () => Bidi)();

/** The levels of what is visible: implementations are free in those of the rest. */
function visibleLevels(text: string, levels: Uint8Array): number[] {
  return [...bidiTypesOf(text)].flatMap((type, index) =>
    (type & removed) === 0 ? [levels[index] ?? 0] : [],
  );
}

/** One or two characters of each bidirectional type. */
const characters = [
  ...'aZ',
  ...'אב',
  ...'لم',
  ...'12',
  ...'٣٤',
  ...'+-',
  ...'$%',
  ...',:',
  ...'()[]',
  ...' \t',
  ...'!&',
  '\u0301',
  '\u200b',
  '\u202a',
  '\u202b',
  '\u202c',
  '\u202d',
  '\u202e',
  '\u2066',
  '\u2067',
  '\u2068',
  '\u2069',
];

test.for([
  ['of every type', fc.constantFrom(...characters)],
  ['of letters, numbers and what joins them', fc.constantFrom(...'aאل1٣+$,%! ')],
  ['of letters and brackets', fc.constantFrom(...'aא1()[]! ')],
  ['of letters and isolates', fc.constantFrom(...'aא1! \u2066\u2067\u2068\u2069\u202b\u202c')],
] as const)('gives a text %s the levels that the reference gives', ([, unit]) => {
  fc.assert(
    fc.property(fc.string({ unit, maxLength: 24 }), (text) => {
      const { levels, paragraphs } = reference.getEmbeddingLevels(text);
      const found = embeddingLevels(text);
      expect(visibleLevels(text, found.levels)).toEqual(visibleLevels(text, levels));
      expect(found.base).toBe(paragraphs[0]?.level ?? 0);
    }),
    { numRuns: 3_000 },
  );
});

test('both halves of a character beyond the basic plane run the same way', () => {
  expect([...embeddingLevels('a𞤀𞤁b').levels]).toEqual([0, 1, 1, 1, 1, 0]);
});

test.for([
  ['digits without a letter between', `א${'1'.repeat(200_000)}`],
  ['isolates of unknown direction', `א${'\u2068'.repeat(200_000)}`],
  ['isolates one after the other', '\u2067א\u2069a'.repeat(50_000)],
  ['brackets in brackets', `${'א('.repeat(50_000)}${')a'.repeat(50_000)}`],
] as const)('is done with %s in time linear in their number', ([, text]) => {
  expect(embeddingLevels(text).levels.length).toBe(text.length);
});
