import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { containedBox, sourceCrop } from '../../../src/documents/pptx/picture-element.ts';
import type { ImageAsset } from '../../../src/domain/documents/common.ts';

const size = fc.integer({ min: 1, max: 10_000 });
const asset = fc
  .record({ width: size, height: size })
  .map((pixels): ImageAsset => ({ kind: 'png', ...pixels, bytes: new Uint8Array() }));
const inches = fc.double({ min: 0.01, max: 20, noNaN: true });
const box = fc.record({ x: inches, y: inches, w: inches, h: inches });

describe('a contained picture', () => {
  test('keeps its proportions, touches two sides of its box and stands in its middle', () => {
    fc.assert(
      fc.property(asset, box, (picture, outer) => {
        const inner = containedBox(picture, outer);
        expect(inner.w / inner.h / (picture.width / picture.height)).toBeCloseTo(1, 9);
        expect(Math.max(inner.w / outer.w, inner.h / outer.h)).toBeCloseTo(1, 9);
        expect(inner.x + inner.w / 2).toBeCloseTo(outer.x + outer.w / 2, 9);
        expect(inner.y + inner.h / 2).toBeCloseTo(outer.y + outer.h / 2, 9);
      }),
    );
  });
});

describe('a covering picture', () => {
  test('shows a part of its middle with the proportions of its box', () => {
    fc.assert(
      fc.property(asset, box, (picture, outer) => {
        const crop = /l="(\d+)" t="(\d+)" r="(\d+)" b="(\d+)"/.exec(sourceCrop(picture, outer));
        const [left = 0, top = 0, right = 0, bottom = 0] =
          crop?.slice(1).map((share) => Number(share) / 100_000) ?? [];
        expect(left).toBe(right);
        expect(top).toBe(bottom);
        expect(Math.min(left, top)).toBe(0);
        const width = picture.width * (1 - left - right);
        const height = picture.height * (1 - top - bottom);
        // Shares are whole thousandths of a per cent: of a sliver hardly anything is left to compare.
        fc.pre(Math.min(1 - 2 * left, 1 - 2 * top) > 0.01);
        expect(width / height / (outer.w / outer.h)).toBeCloseTo(1, 1);
      }),
    );
  });
});
