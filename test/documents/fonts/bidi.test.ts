import { expect, test } from 'vitest';
import { directionsOf, visualRuns } from '../../../src/documents/fonts/bidi.ts';
import { mirrored } from '../../../src/documents/fonts/bidi-types.ts';

function visual(text: string): string[] {
  const directions = directionsOf(text);
  if (directions === undefined) return [text];
  return visualRuns(directions, 0, text.length).map(
    ({ start, end, isRightToLeft }) => `${isRightToLeft ? '<' : ''}${text.slice(start, end)}`,
  );
}

test.for([
  ['text from left to right is one run', 'abc', ['abc']],
  ['Hebrew within English', 'abc אבג def', ['abc ', '<אבג', ' def']],
  ['a number within Hebrew', 'אב 12 גד', ['< גד', '12', '<אב ']],
  ['English within Arabic', 'مرحبا Bob يا', ['< يا', 'Bob', '<مرحبا ']],
] as const)('%s', ([, text, expected]) => {
  expect(visual(text)).toEqual(expected);
});

test('a line is ordered by itself', () => {
  const text = 'אבג דהו abc';
  const directions = directionsOf(text);
  if (directions === undefined) throw new Error('the text has a direction');
  expect(visualRuns(directions, 4, 11).map(({ start, end }) => text.slice(start, end))).toEqual([
    'abc',
    'דהו ',
  ]);
});

test('brackets are mirrored, letters are not', () => {
  expect(['(', ']', '«', 'a'].map(mirrored)).toEqual([')', '[', '»', 'a']);
});
