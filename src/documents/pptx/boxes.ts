import type { Box, SlideElement } from '../../domain/documents/deck-spec.ts';

/** The box that an element takes, inches; a line's may be flat. */
export function boxOf(element: SlideElement): Box {
  if (element.type !== 'line') return element;
  const { x1, y1, x2, y2 } = element;
  return { x: Math.min(x1, x2), y: Math.min(y1, y2), w: Math.abs(x2 - x1), h: Math.abs(y2 - y1) };
}

/** The lower edge of a box, inches from the top. */
export function bottomOf({ y, h }: Box): number {
  return y + h;
}

/** Whether `outer` holds the whole of `inner`. */
export function surrounds(outer: Box, inner: Box): boolean {
  return (
    outer.x <= inner.x &&
    outer.y <= inner.y &&
    outer.x + outer.w >= inner.x + inner.w &&
    outer.y + outer.h >= inner.y + inner.h
  );
}

/** Whether two boxes stand above one another: some of their widths is the same. */
export function shareWidth(one: Box, other: Box): boolean {
  return one.x < other.x + other.w && one.x + one.w > other.x;
}
