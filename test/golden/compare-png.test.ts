import { deflateSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { pictureDifference } from './compare-png.ts';
import { decodePng, type Picture } from './decode-png.ts';

function chunk(name: string, data: Buffer): Buffer {
  const bytes = Buffer.alloc(12 + data.length);
  bytes.writeUInt32BE(data.length, 0);
  bytes.write(name, 4, 'latin1');
  data.copy(bytes, 8);
  return bytes;
}

function png(width: number, height: number, type: number, rows: Buffer, palette?: Buffer): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.writeUInt8(8, 8);
  header.writeUInt8(type, 9);
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', header),
    ...(palette === undefined ? [] : [chunk('PLTE', palette)]),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

describe('decoding', () => {
  test.for([
    ['rows without a filter', Buffer.from([0, 10, 20, 0, 30, 40])],
    ['rows as differences from the left', Buffer.from([1, 10, 10, 1, 30, 10])],
    ['rows as differences from above', Buffer.from([2, 10, 20, 2, 20, 20])],
    ['rows as differences from the mean', Buffer.from([3, 10, 15, 3, 25, 15])],
    ['rows as differences from the nearest neighbour', Buffer.from([4, 10, 10, 4, 20, 10])],
  ] as const)('reads %s', ([, rows]) => {
    expect([...decodePng(png(2, 2, 0, rows)).rgb].filter((_, index) => index % 3 === 0)).toEqual([
      10, 20, 30, 40,
    ]);
  });

  test('reads colours, palettes and transparency', () => {
    expect([...decodePng(png(1, 1, 2, Buffer.from([0, 1, 2, 3]))).rgb]).toEqual([1, 2, 3]);
    expect([...decodePng(png(1, 1, 6, Buffer.from([0, 1, 2, 3, 0]))).rgb]).toEqual([255, 255, 255]);
    const palette = Buffer.from([0, 0, 0, 7, 8, 9]);
    expect([...decodePng(png(1, 1, 3, Buffer.from([0, 1]), palette)).rgb]).toEqual([7, 8, 9]);
  });
});

describe('comparing', () => {
  const plain = (width: number, level: number): Picture => ({
    width,
    height: 8,
    rgb: new Uint8Array(width * 8 * 3).fill(level),
  });

  test('small differences of shade are none', () => {
    expect(pictureDifference(plain(8, 100), plain(8, 110))).toBe(0);
  });

  test('the share of squares that differ is given', () => {
    const changed = plain(8, 100);
    changed.rgb.fill(0, 0, 12);
    expect(pictureDifference(plain(8, 100), changed)).toBe(0.25);
  });

  test('another size is another picture', () => {
    expect(pictureDifference(plain(8, 100), plain(12, 100))).toBe(1);
  });
});
