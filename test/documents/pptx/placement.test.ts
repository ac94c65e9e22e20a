import { describe, expect, test } from 'vitest';
import { placeElement } from '../../../src/documents/pptx/placement.ts';
import type { SlideElement } from '../../../src/domain/documents/deck-spec.ts';
import { chart, pictures, plain, text } from './sample-decks.ts';

const picture = pictures.get('wide');

function place(element: SlideElement): SlideElement | undefined {
  return placeElement(element, () => {
    if (picture === undefined) throw new Error('no picture');
    return picture;
  });
}

const rect = { type: 'shape', shape: 'rect', ...plain } as const;
const image = { type: 'image', image: { asset: 'wide', alt: '' }, sizing: 'contain' } as const;
const bars = { type: 'chart', chart: chart('bar') } as const;

describe('placeElement', () => {
  test('leaves an element on the canvas, and one that bleeds over its edge, as it is', () => {
    for (const box of [
      { x: 1, y: 1, w: 2, h: 1 },
      { x: -1, y: -1, w: 16, h: 9 },
    ]) {
      expect(place({ ...rect, ...box })).toEqual({ ...rect, ...box });
    }
  });

  test.for([
    ['right of', { x: 13.4, y: 1, w: 1, h: 1 }],
    ['below', { x: 1, y: 7.5, w: 1, h: 1 }],
    ['left of', { x: -2, y: 1, w: 2, h: 1 }],
    ['above', { x: 1, y: -2, w: 2, h: 1 }],
  ] as const)('drops an element %s the canvas', ([, box]) => {
    expect(place({ ...rect, ...box })).toBeUndefined();
  });

  test('turns a box of negative size over', () => {
    expect(place({ ...rect, x: 3, y: 4, w: -2, h: -1 })).toMatchObject({ x: 1, y: 3, w: 2, h: 1 });
  });

  test('keeps coordinates within what PowerPoint holds', () => {
    expect(place({ ...rect, x: -100, y: 0, w: 100_000, h: 1 })).toMatchObject({ x: -20, w: 13.333 + 40 });
    const line = {
      type: 'line',
      x1: -1e9,
      y1: 1,
      x2: 1e9,
      y2: 2,
      beginArrow: false,
      endArrow: false,
    } as const;
    expect(place(line)).toMatchObject({ x1: -20, x2: 33.333 });
  });

  test('gives a text without a size the width to the margin and the height of its lines', () => {
    const placed = place(text('one\ntwo', { x: 10, y: 1, w: 0, h: 0 }, { fontSize: 36 }));
    expect(placed).toMatchObject({ x: 10, y: 1 });
    expect(placed?.type === 'text' ? placed.w : 0).toBeCloseTo(2.833);
    expect(placed?.type === 'text' ? placed.h : 0).toBeCloseTo(1.3);
  });

  test('gives a picture its missing side by its proportions', () => {
    expect(place({ ...image, x: 1, y: 1, w: 3, h: 0 })).toMatchObject({ w: 3, h: 1 });
    expect(place({ ...image, x: 1, y: 1, w: 0, h: 2 })).toMatchObject({ w: 6, h: 2 });
  });

  test('gives a chart without a size the room to the margins', () => {
    const placed = place({ ...bars, x: 1, y: 2, w: 0, h: 0 });
    expect(placed?.type === 'chart' ? [placed.w, placed.h] : []).toEqual([
      expect.closeTo(11.833),
      expect.closeTo(5),
    ]);
  });

  test.for([
    [{ ...rect, x: 1, y: 1, w: 0, h: 1 }],
    [{ ...rect, x: 1, y: 1, w: 1, h: 1e-9 }],
    [{ type: 'line', x1: 2, y1: 2, x2: 2, y2: 2, beginArrow: false, endArrow: false }],
  ] as const)('drops what has no size and cannot get one', ([element]) => {
    expect(place(element)).toBeUndefined();
  });
});
