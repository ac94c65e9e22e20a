import { create } from '@bufbuild/protobuf';
import { describe, expect, test } from 'vitest';
import { GeneratePptxRequestSchema } from '../../../gen/service/generator/v1/deck_pb.ts';
import { parseDeck } from '../../../src/rpc/generator/parse-deck.ts';

const deck = (color: string) =>
  parseDeck(create(GeneratePptxRequestSchema, { slides: [{ background: { color } }] }));

describe('the background of a slide', () => {
  test.for(['/etc/passwd', 'C:\\picture.png', 'https://example.com/a.png', 'data:image/png;base64,AA=='])(
    '%s is the address of a picture, which the guard gets to see',
    (address) => {
      const { spec, images } = deck(address);
      expect(spec.slides[0]?.background).toEqual({ image: expect.anything() });
      expect(images).toEqual([expect.objectContaining({ src: address })]);
    },
  );

  test.for(['#FF0000', 'FF0000', 'red'])('%s is a colour', (color) => {
    const { spec, images } = deck(color);
    expect(spec.slides[0]?.background).toEqual({ color: 'FF0000' });
    expect(images).toEqual([]);
  });
});
