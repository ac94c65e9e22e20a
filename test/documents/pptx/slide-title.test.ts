import { expect, test } from 'vitest';
import { titleIndex } from '../../../src/documents/pptx/slide-title.ts';
import type { SlideElement } from '../../../src/domain/documents/deck-spec.ts';
import { text } from './sample-decks.ts';

const head = { x: 0.5, y: 0.4, w: 12, h: 0.8 };
const middle = { x: 0.5, y: 3, w: 12, h: 1.5 };

test.for<[string, SlideElement[], number]>([
  [
    'a heading at the head, not the large figure below it',
    [text('42 %', middle, { fontSize: 90 }), text('Growth', head, { fontSize: 28 })],
    1,
  ],
  [
    'a heading rather than the small bold line above it',
    [
      text('KICKER', { ...head, y: 0.1, h: 0.3 }, { fontSize: 12, bold: true }),
      text('Growth', head, { fontSize: 32 }),
    ],
    1,
  ],
  [
    'the largest text of a cover',
    [text('May 2026', middle, { fontSize: 20 }), text('Review', middle, { fontSize: 44 })],
    1,
  ],
  ['bold text at the head', [text('Growth', head, { bold: true }), text('Body', middle)], 0],
  ['plain text at the head, when there is no other', [text('Growth', head), text('Body', middle)], 0],
  [
    'the topmost of equals',
    [text('b', { ...head, y: 0.9 }, { fontSize: 24 }), text('a', head, { fontSize: 24 })],
    1,
  ],
  [
    'no list, no prose and no blank',
    [
      text('a\nb', head, { bullet: true, fontSize: 30 }),
      text('x '.repeat(200), head, { fontSize: 30 }),
      text(' ', head, { fontSize: 30 }),
    ],
    -1,
  ],
  ['nothing where there is no text', [], -1],
])('a slide is named by %s', ([, elements, index]) => {
  expect(titleIndex(elements)).toBe(index);
});
