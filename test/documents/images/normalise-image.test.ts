import { crc32, deflateSync } from 'node:zlib';
import fc from 'fast-check';
import sharp, { type Sharp } from 'sharp';
import { describe, expect, test } from 'vitest';
import { normaliseImage } from '../../../src/documents/images/normalise-image.ts';
import { limits } from '../../../src/domain/limits.ts';
import { ImageError } from '../../../src/ports/image-source.ts';

/** A picture whose pixels all differ from their neighbours, so that a loss or a turn shows. */
function picture(width: number, height: number, channels: 3 | 4 = 3, alpha = 128): Sharp {
  const pixels = Buffer.alloc(width * height * channels);
  for (let at = 0; at < width * height; at++) {
    const start = at * channels;
    pixels[start] = (at % width) * 3;
    pixels[start + 1] = Math.floor(at / width) * 5;
    pixels[start + 2] = (at * 7) % 251;
    if (channels === 4) pixels[start + 3] = alpha;
  }
  return sharp(pixels, { raw: { width, height, channels } });
}

async function pixelsOf(image: Sharp | Uint8Array) {
  const source = image instanceof Uint8Array ? sharp(image) : image;
  return await source.raw().toBuffer({ resolveWithObject: true });
}

const exif = { IFD0: { Artist: 'SECRET' }, IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '51/1 30/1 0/1' } };

/** Every reader of the engines wants this: one frame, upright, 8 bits, no interlacing, gray or sRGB, no metadata. */
async function expectPlain(bytes: Uint8Array) {
  const metadata = await sharp(bytes).metadata();
  expect(metadata.depth).toBe('uchar');
  expect(['srgb', 'b-w']).toContain(metadata.space);
  if (metadata.format === 'png') expect(metadata.isProgressive).toBe(false);
  for (const name of ['exif', 'icc', 'iptc', 'xmp', 'comments', 'orientation'] as const) {
    expect(metadata[name]).toBeUndefined();
  }
  expect(Buffer.from(bytes).includes('SECRET')).toBe(false);
}

describe('a picture comes out plain, whatever form it came in', () => {
  test.for<readonly [string, () => Sharp, object]>([
    ['PNG', () => picture(30, 20).png(), { kind: 'png', width: 30, height: 20 }],
    [
      'PNG of a palette',
      () => picture(30, 20).png({ palette: true, colors: 8 }),
      { kind: 'png', width: 30, height: 20 },
    ],
    ['PNG of grays', () => picture(30, 20).grayscale().png(), { kind: 'png', width: 30, height: 20 }],
    ['PNG with transparency', () => picture(30, 20, 4).png(), { kind: 'png', width: 30, height: 20 }],
    [
      'PNG of a palette with transparency',
      () => picture(30, 20, 4).png({ palette: true }),
      { kind: 'png', width: 30, height: 20 },
    ],
    [
      'interlaced PNG',
      () => picture(30, 20).png({ progressive: true }),
      { kind: 'png', width: 30, height: 20 },
    ],
    [
      'PNG of 16 bits',
      () => picture(30, 20).toColourspace('rgb16').png(),
      { kind: 'png', width: 30, height: 20 },
    ],
    [
      'PNG of 16-bit grays',
      () => picture(30, 20).toColourspace('grey16').png(),
      { kind: 'png', width: 30, height: 20 },
    ],
    [
      'PNG with metadata',
      () => picture(30, 20).withExif(exif).withIccProfile('p3').png(),
      { kind: 'png', width: 30, height: 20 },
    ],
    ['JPEG', () => picture(30, 20).jpeg(), { kind: 'jpeg', width: 30, height: 20 }],
    [
      'progressive JPEG',
      () => picture(30, 20).jpeg({ progressive: true }),
      { kind: 'jpeg', width: 30, height: 20 },
    ],
    ['JPEG of grays', () => picture(30, 20).grayscale().jpeg(), { kind: 'jpeg', width: 30, height: 20 }],
    [
      'JPEG of CMYK',
      () => picture(30, 20).toColourspace('cmyk').jpeg(),
      { kind: 'jpeg', width: 30, height: 20 },
    ],
    [
      'JPEG with metadata',
      () => picture(30, 20).withExif(exif).jpeg(),
      { kind: 'jpeg', width: 30, height: 20 },
    ],
    [
      'JPEG with a colour profile',
      () => picture(30, 20).withIccProfile('p3').jpeg(),
      { kind: 'jpeg', width: 30, height: 20 },
    ],
    [
      'JPEG on its side',
      () => picture(30, 20).withMetadata({ orientation: 6 }).jpeg(),
      { kind: 'jpeg', width: 20, height: 30 },
    ],
    ['GIF', () => picture(30, 20).gif(), { kind: 'png', width: 30, height: 20 }],
    ['WebP of a photograph', () => picture(30, 20).webp(), { kind: 'jpeg', width: 30, height: 20 }],
    [
      'WebP with metadata',
      () => picture(30, 20).withExif(exif).webp(),
      { kind: 'jpeg', width: 30, height: 20 },
    ],
    ['lossless WebP', () => picture(30, 20).webp({ lossless: true }), { kind: 'png', width: 30, height: 20 }],
    ['WebP with transparency', () => picture(30, 20, 4).webp(), { kind: 'png', width: 30, height: 20 }],
  ])('%s', async ([, make, expected]) => {
    const input = await make().toBuffer();
    const asset = await normaliseImage(input);
    expect(asset).toMatchObject(expected);
    const { width, height } = await sharp(asset.bytes).metadata();
    expect({ width, height }).toEqual({ width: asset.width, height: asset.height });
    await expectPlain(asset.bytes);
    expect((await normaliseImage(input)).bytes).toEqual(asset.bytes);
  });

  test('of an animation the first frame is taken', async () => {
    const frames = sharp(
      [await picture(8, 8).png().toBuffer(), await picture(8, 8).negate().png().toBuffer()],
      {
        join: { animated: true },
      },
    );
    for (const input of [
      await frames.clone().gif().toBuffer(),
      await frames.clone().webp({ lossless: true }).toBuffer(),
    ]) {
      const asset = await normaliseImage(input);
      expect(asset).toMatchObject({ kind: 'png', width: 8, height: 8 });
      const first = await pixelsOf(sharp(input, { page: 0 }).removeAlpha());
      expect((await pixelsOf(asset.bytes)).data).toEqual(first.data);
    }
  });
});

describe('what a picture shows stays', () => {
  test.for<readonly [string, () => Sharp]>([
    ['PNG', () => picture(30, 20).png()],
    ['PNG with transparency', () => picture(30, 20, 4).png()],
    ['PNG with text and profile-free metadata', () => picture(30, 20).withExif(exif).png()],
    ['interlaced PNG', () => picture(30, 20).png({ progressive: true })],
    ['JPEG', () => picture(30, 20).jpeg()],
    ['JPEG with metadata', () => picture(30, 20).withExif(exif).jpeg()],
    ['progressive JPEG', () => picture(30, 20).jpeg({ progressive: true })],
    ['lossless WebP', () => picture(30, 20).webp({ lossless: true })],
  ])('pixel by pixel in a %s', async ([, make]) => {
    const input = await make().toBuffer();
    const asset = await normaliseImage(input);
    expect((await pixelsOf(asset.bytes)).data).toEqual((await pixelsOf(input)).data);
  });

  test('an opaque alpha channel is dropped, a used one stays', async () => {
    const opaque = await normaliseImage(await picture(30, 20, 4, 255).png().toBuffer());
    const used = await normaliseImage(await picture(30, 20, 4, 254).png().toBuffer());
    expect((await sharp(opaque.bytes).metadata()).channels).toBe(3);
    expect((await pixelsOf(opaque.bytes)).data).toEqual((await pixelsOf(picture(30, 20))).data);
    expect((await sharp(used.bytes).metadata()).channels).toBe(4);
  });

  test.for<readonly [string, (image: Sharp) => Sharp]>([
    ['PNG', (image) => image.png()],
    ['JPEG', (image) => image.jpeg({ quality: 100, chromaSubsampling: '4:4:4' })],
  ])('the colours of a %s with a profile of its own are those of sRGB', async ([, encode]) => {
    const plain = sharp({ create: { width: 8, height: 8, channels: 3, background: '#e01030' } });
    const input = await encode(plain.clone().withIccProfile('p3')).toBuffer();
    const [red, green, blue] = (await pixelsOf((await normaliseImage(input)).bytes))
      .data as unknown as number[];
    expect(Math.abs((red as number) - 0xe0)).toBeLessThan(4);
    expect(Math.abs((green as number) - 0x10)).toBeLessThan(4);
    expect(Math.abs((blue as number) - 0x30)).toBeLessThan(4);
  });

  test('a picture on its side is turned upright', async () => {
    const input = await picture(30, 20)
      .withMetadata({ orientation: 3 })
      .jpeg({ quality: 100, chromaSubsampling: '4:4:4' })
      .toBuffer();
    const turned = await pixelsOf((await normaliseImage(input)).bytes);
    const expected = await pixelsOf(picture(30, 20).rotate(180));
    const worst = Math.max(
      ...turned.data.map((value, at) => Math.abs(value - (expected.data[at] as number))),
    );
    expect(worst).toBeLessThan(90);
    expect(turned.data[0]).toBeGreaterThan(60);
  });

  test('what follows the end of a picture is gone', async () => {
    for (const input of [await picture(30, 20).png().toBuffer(), await picture(30, 20).jpeg().toBuffer()]) {
      const asset = await normaliseImage(
        Buffer.concat([input, Buffer.from('PK\x03\x04 another file: SECRET')]),
      );
      await expectPlain(asset.bytes);
      expect((await pixelsOf(asset.bytes)).data).toEqual((await pixelsOf(input)).data);
    }
  });
});

describe('sizes', () => {
  test.for<readonly [string, () => Sharp, object]>([
    ['PNG at the useful edge', () => picture(3_200, 10).png(), { width: 3_200, height: 10 }],
    ['PNG over it', () => picture(6_400, 1_000).png(), { width: 3_200, height: 500 }],
    ['JPEG over it', () => picture(100, 4_000).jpeg(), { width: 80, height: 3_200 }],
    ['thin line', () => picture(60_000, 1).png(), { width: 3_200, height: 1 }],
    [
      'PNG with transparency as large as a screen',
      () => picture(1_920, 1_080, 4).png(),
      { width: 1_920, height: 1_080 },
    ],
    ['PNG with transparency over it', () => picture(2_000, 2_000, 4).png(), { width: 1_449, height: 1_449 }],
    [
      'opaque PNG with an alpha channel',
      () => picture(2_000, 2_000, 4, 255).png(),
      { width: 2_000, height: 2_000 },
    ],
  ])('%s', async ([, make, expected]) => {
    expect(await normaliseImage(await make().toBuffer())).toMatchObject(expected);
  });

  test('40 megapixels are read', async () => {
    const input = await sharp({ create: { width: 8_000, height: 5_000, channels: 3, background: 'red' } })
      .png()
      .toBuffer();
    expect(await normaliseImage(input)).toMatchObject({ width: 3_200, height: 2_000 });
  });

  test.for([
    ['PNG', pngOf(8_000, 5_001)],
    ['PNG of the largest sides', pngOf(0x7fffffff, 0x7fffffff)],
    ['JPEG', Buffer.from('ffd8ffc0000b08ffffffff01011100ffd9', 'hex')],
    ['GIF', Buffer.concat([Buffer.from('GIF89a'), Buffer.from('ffffffff00000000', 'hex')])],
    [
      'WebP',
      Buffer.concat([
        Buffer.from('RIFF\0\0\0\0WEBPVP8L\0\0\0\0/'),
        Buffer.from('ffffff0f', 'hex'),
        Buffer.alloc(9),
      ]),
    ],
  ] as const)('a %s with more is refused by its header alone', async ([, input]) => {
    await expect(normaliseImage(input)).rejects.toThrow('an image may have at most 40 megapixels');
  });

  test('a JPEG of more scans than any picture needs is refused', async () => {
    const jpeg = await picture(16, 16).jpeg({ progressive: true }).toBuffer();
    const scan = Buffer.from('ffda0008010100003f0000', 'hex');
    const scans = Buffer.concat(new Array(101).fill(scan));
    await expect(
      normaliseImage(Buffer.concat([jpeg.subarray(0, -2), scans, jpeg.subarray(-2)])),
    ).rejects.toThrow('a JPEG image may have at most 100 scans');
  });
});

describe('what is no picture gives spec_invalid', () => {
  const encoders: readonly (readonly [string, () => Sharp])[] = [
    ['png', () => picture(64, 64).png()],
    ['png with alpha', () => picture(64, 64, 4).png()],
    ['jpeg', () => picture(64, 64).jpeg()],
    ['progressive jpeg', () => picture(64, 64).jpeg({ progressive: true })],
    ['gif', () => picture(64, 64).gif()],
    ['webp', () => picture(64, 64).webp()],
    ['lossless webp', () => picture(64, 64).webp({ lossless: true })],
  ];

  test.for<readonly [string, Buffer]>([
    ['nothing', Buffer.alloc(0)],
    ['text', Buffer.from('not a picture')],
    [
      'SVG',
      Buffer.from(
        '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect width="9" height="9"/></svg>',
      ),
    ],
    ['PDF', Buffer.from('%PDF-1.7\n')],
    ['TIFF', Buffer.from('49492a0008000000', 'hex')],
    ['BMP', Buffer.from('424d460000000000000036000000280000000200000002000000', 'hex')],
    ['PNG signature alone', Buffer.from('89504e470d0a1a0a', 'hex')],
    ['PNG without data', pngOf(4, 4)],
    ['PNG without width', pngOf(0, 4, deflateSync(Buffer.alloc(0)))],
    ['JPEG start alone', Buffer.from('ffd8ff', 'hex')],
    [
      'JPEG of empty segments',
      Buffer.concat([Buffer.from('ffd8', 'hex'), Buffer.alloc(400_000, Buffer.from('ffe00002', 'hex'))]),
    ],
    [
      'PNG of empty chunks',
      Buffer.concat([
        pngOf(4, 4).subarray(0, 33),
        Buffer.alloc(4_800_000, Buffer.from('000000006162634400000000', 'hex')),
      ]),
    ],
  ])('%s', async ([, input]) => {
    await expect(normaliseImage(input)).rejects.toMatchObject({ name: 'ImageError', slug: 'spec_invalid' });
  });

  test.for(encoders)('half of a %s', async ([, make]) => {
    const input = await make().toBuffer();
    await expect(normaliseImage(input.subarray(0, input.length / 2))).rejects.toMatchObject({
      slug: 'spec_invalid',
    });
  });

  test.for(encoders)(
    'a damaged %s is either a plain picture or refused, never anything else',
    async ([, make]) => {
      const input = await make().toBuffer();
      const damage = fc.array(fc.tuple(fc.nat(input.length - 1), fc.nat(255)), {
        minLength: 1,
        maxLength: 8,
      });
      await fc.assert(
        fc.asyncProperty(damage, async (changes) => {
          const damaged = Buffer.from(input);
          for (const [at, value] of changes) damaged[at] = value;
          try {
            const asset = await normaliseImage(damaged);
            const { width, height } = await sharp(asset.bytes).metadata();
            expect({ width, height }).toEqual({ width: asset.width, height: asset.height });
            expect(width * height).toBeLessThanOrEqual(limits.image.pixels);
          } catch (error) {
            expect(error).toBeInstanceOf(ImageError);
          }
        }),
        { numRuns: 60 },
      );
    },
  );
});

/** A PNG of 8-bit grays with the given size and compressed rows. */
function pngOf(width: number, height: number, data?: Buffer): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header[8] = 8;
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', header),
    ...(data === undefined ? [] : [chunk('IDAT', data)]),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const checksum = Buffer.alloc(4);
  checksum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, checksum]);
}
