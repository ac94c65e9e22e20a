import type { Color } from '../../domain/documents/common.ts';
import type { Box } from '../../domain/documents/deck-spec.ts';
import type { Palette } from '../palettes.ts';
import { colorOf } from './color.ts';
import type { PlannedElement, PlannedSlide } from './plan-slides.ts';
import { shapeInk } from './shape-element.ts';

/**
 * The colour that a box drawn above the first `elementsBelow` elements of a slide stands on: that of the topmost
 * filled shape, table or chart under its centre, else of the background; white under a picture, whose colours are
 * unknown.
 */
export function groundUnder(box: Box, slide: PlannedSlide, elementsBelow: number, palette: Palette): Color {
  const x = box.x + box.w / 2;
  const y = box.y + box.h / 2;
  for (let index = elementsBelow - 1; index >= 0; index--) {
    const element = slide.elements[index];
    const color = element === undefined ? undefined : groundOf(element, x, y, palette);
    if (color !== undefined) return color;
  }
  return slide.background !== undefined && 'color' in slide.background ? slide.background.color : 'FFFFFF';
}

function groundOf(element: PlannedElement, x: number, y: number, palette: Palette): Color | undefined {
  if (element.type === 'line' || element.type === 'text') return undefined;
  const box = element.type === 'tablePage' ? element.page.box : element;
  if (x < box.x || x > box.x + box.w || y < box.y || y > box.y + box.h) return undefined;
  return element.type === 'shape' ? (element.fill ?? colorOf(shapeInk, palette)) : 'FFFFFF';
}
