import type { ShapeName } from '../../domain/documents/deck-spec.ts';

type Room = readonly [width: number, height: number];

const share =
  (width: number, height: number) =>
  (w: number, h: number): Room => [w * width, h * height];

/**
 * The room that a shape's geometry gives to its text, by the shape's width and height: the text rectangles of the
 * presets at their default adjustments (ECMA-376 Part 1, annex D, presetShapeDefinitions.xml).
 */
export const textRoom: Readonly<Record<ShapeName, (w: number, h: number) => Room>> = {
  rect: share(1, 1),
  roundRect: (w, h) => [w - 0.098 * Math.min(w, h), h - 0.098 * Math.min(w, h)],
  ellipse: share(Math.SQRT1_2, Math.SQRT1_2),
  triangle: share(0.5, 0.5),
  rtTriangle: share(0.5, 1 / 3),
  diamond: share(0.5, 0.5),
  parallelogram: (w, h) => {
    const inset = (1 + (1.25 * Math.min(w, h)) / w) / 6;
    return [w * (1 - inset), h * (1 - inset)];
  },
  trapezoid: (w, h) => [w - Math.min(w, h) / 3, h * (1 - Math.min(w, h) / (6 * w))],
  pentagon: share(0.618, 0.724),
  hexagon: share(0.72, 0.72),
  octagon: (w, h) => [w - 0.293 * Math.min(w, h), h - 0.293 * Math.min(w, h)],
  star5: share(0.38, 0.38),
  rightArrow: (w, h) => [w - Math.min(w, h) / 4, h / 2],
  leftArrow: (w, h) => [w - Math.min(w, h) / 4, h / 2],
  upArrow: (w, h) => [w / 2, h - Math.min(w, h) / 4],
  downArrow: (w, h) => [w / 2, h - Math.min(w, h) / 4],
  chevron: (w, h) => [w > h ? w - h : w, h],
  homePlate: (w, h) => [w - Math.min(w, h) / 4, h],
  cloud: share(0.722, 0.727),
  heart: share(2 / 3, 5 / 12),
  plus: (w, h) => (w > h ? [w, h - 0.5 * h] : [w - 0.5 * w, h]),
  wedgeRectCallout: share(1, 1),
};
