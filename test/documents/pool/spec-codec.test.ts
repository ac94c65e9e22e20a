import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodeSpec, encodeSpec } from '../../../src/documents/pool/spec-codec.ts';

test('every JSON value comes back as it was', async () => {
  await fc.assert(
    fc.asyncProperty(fc.jsonValue({ maxDepth: 6 }), async (value) => {
      expect(decodeSpec(await encodeSpec(value))).toEqual(JSON.parse(JSON.stringify(value)));
    }),
  );
});

test('fields that are undefined are left out', async () => {
  expect(decodeSpec(await encodeSpec({ a: undefined, b: { c: undefined }, d: 1 }))).toStrictEqual({
    b: {},
    d: 1,
  });
});

test.for([
  ['rows of cells', { rows: Array.from({ length: 50_000 }, (_, row) => [`ą${row}`, row / 3, null]) }],
  [
    'wide rows',
    { rows: Array.from({ length: 700 }, () => Array.from({ length: 200 }, (_, column) => column)) },
  ],
  ['rows without cells', { rows: Array.from({ length: 30_000 }, () => []) }],
  [
    'rows of objects',
    [{ table: { rows: Array.from({ length: 5_000 }, (_, row) => [{ value: row, bold: true }]) } }],
  ],
  ['a long list', { labels: Array.from({ length: 20_000 }, (_, index) => `label ${index}`) }],
  [
    'many objects',
    { sections: Array.from({ length: 1_000 }, (_, index) => ({ text: 'x'.repeat(200), index })) },
  ],
  ['long text', { text: '😀'.repeat(200_000) }],
] as const)(
  '%s come back in transferable chunks with turns of the event loop in between',
  async ([, value]) => {
    let turns = 0;
    let isDone = false;
    const count = () => {
      turns += 1;
      if (!isDone) setImmediate(count);
    };
    setImmediate(count);
    const chunks = await encodeSpec(value);
    isDone = true;
    expect(chunks.length).toBeGreaterThan(1);
    expect(turns).toBeGreaterThanOrEqual(chunks.length - 1);
    for (const chunk of chunks) expect(chunk.byteLength).toBe(chunk.buffer.byteLength);
    expect(decodeSpec(chunks)).toEqual(value);
  },
);
