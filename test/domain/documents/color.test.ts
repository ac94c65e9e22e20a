import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseColor } from '../../../src/domain/documents/color.ts';

test.for([
  ['#1a2', '11AA22'],
  ['1A2', '11AA22'],
  ['#1a2b3c', '1A2B3C'],
  ['1A2B3C', '1A2B3C'],
  [' #FFFFFF ', 'FFFFFF'],
  ['rgb(1, 2, 255)', '0102FF'],
  ['RGB(1 2 3)', '010203'],
  ['rgb( 0,0,0 )', '000000'],
  ['red', 'FF0000'],
  ['Navy', '000080'],
  ['rebeccapurple', '663399'],
] as const)('%j is %s', ([text, expected]) => {
  expect(parseColor(text)).toBe(expected);
});

test.for([
  '',
  '#',
  '#12',
  '#1234',
  '#12345',
  '#1234567',
  '##123',
  'ggg',
  'rgb(256,0,0)',
  'rgb(1,2)',
  'rgb(1,2,3,4)',
  'rgb(-1,2,3)',
  'rgb(1.5,2,3)',
  'reddish',
  'constructor',
  '__proto__',
  'transparent',
  '#fff;x',
  '#fff\n#fff',
  '１２３',
])('%j is no colour', (text) => {
  expect(parseColor(text)).toBeUndefined();
});

const color = fc
  .integer({ min: 0, max: 0xffffff })
  .map((value) => value.toString(16).padStart(6, '0').toUpperCase());

test('what is read is six upper-case hexadecimal digits, and reads as itself', () => {
  fc.assert(
    fc.property(fc.oneof(color, fc.string(), fc.stringMatching(/^#?[0-9a-zA-Z(), ]{0,18}$/)), (text) => {
      const read = parseColor(text);
      if (read !== undefined) {
        expect(read).toMatch(/^[0-9A-F]{6}$/);
        expect(parseColor(read)).toBe(read);
        expect(parseColor(`#${read.toLowerCase()}`)).toBe(read);
      }
    }),
  );
});

test('every form of a colour reads as the same colour', () => {
  fc.assert(
    fc.property(fc.nat(255), fc.nat(255), fc.nat(255), (red, green, blue) => {
      const hex = Buffer.from([red, green, blue]).toString('hex');
      expect(parseColor(`rgb(${red},${green},${blue})`)).toBe(parseColor(hex));
    }),
  );
});
