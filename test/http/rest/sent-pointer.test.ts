import { expect, test } from 'vitest';
import { sentPointer } from '../../../src/http/rest/sent-pointer.ts';

const document = { slides: [{ background: 'zzz', notes: null }], columns: ['A', { 'a/b': {} }], title: 5 };

test.for([
  ['/slides/0/background/color', '/slides/0/background'],
  ['/columns/0/header', '/columns/0'],
  ['/columns/0/header/deeper', '/columns/0'],
  ['/slides/0/notes/text', '/slides/0/notes'],
  ['/title', '/title'],
  ['/columns/1/header', '/columns/1/header'],
  ['/columns/1/a~1b/c', '/columns/1/a~1b/c'],
  ['/columns/7/header', '/columns/7/header'],
  ['/constructor/name', '/constructor/name'],
  ['', ''],
] as const)('%s is sent as %s', ([pointer, expected]) => {
  expect(sentPointer(document, pointer)).toBe(expected);
});

test('nothing is cut where there is no document', () => {
  expect(sentPointer(undefined, '/a/b')).toBe('/a/b');
});
