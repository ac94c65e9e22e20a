import type { ImageAsset } from '../../domain/documents/common.ts';
import type { Box, SlideElement } from '../../domain/documents/deck-spec.ts';
import type { LineElement } from './line-element.ts';
import { canvas, margin } from './measures.ts';
import { naturalTextHeight } from './text-element.ts';

/** How far an element may reach over the canvas' edges, inches: beyond it nothing shows and PowerPoint's range ends. */
const bleedMax = 20;

/** A length below this is none, inches. */
const visibleMin = 0.001;

/**
 * Returns an element as it can be drawn, or undefined when nothing of it would show.
 *
 * A box of negative size is turned over. A missing width or height comes from the element's content: a text's lines,
 * a picture's proportions, else the room to the canvas' margin; a shape without any area, a line without length and
 * an element wholly off the canvas are not drawn.
 */
export function placeElement(
  element: SlideElement,
  assetOf: (element: SlideElement & { type: 'image' }) => ImageAsset,
): SlideElement | undefined {
  if (element.type === 'line') return placeLine(element);
  const upright = { ...element, ...turnOver(element) };
  const sized = giveSize(upright, assetOf);
  if (sized.w <= 0 || sized.h <= 0 || isOffCanvas(sized)) return undefined;
  return { ...sized, ...clampBox(sized) };
}

function placeLine(line: LineElement): LineElement | undefined {
  const clamped = {
    ...line,
    x1: clamp(line.x1, canvas.width),
    y1: clamp(line.y1, canvas.height),
    x2: clamp(line.x2, canvas.width),
    y2: clamp(line.y2, canvas.height),
  };
  const box = {
    x: Math.min(clamped.x1, clamped.x2),
    y: Math.min(clamped.y1, clamped.y2),
    w: Math.abs(clamped.x2 - clamped.x1),
    h: Math.abs(clamped.y2 - clamped.y1),
  };
  const isPoint = box.w < visibleMin && box.h < visibleMin;
  return isPoint || isOffCanvas(box) ? undefined : clamped;
}

function turnOver({ x, y, w, h }: Box): Box {
  const size = (length: number) => (Math.abs(length) < visibleMin ? 0 : Math.abs(length));
  return { x: w < 0 ? x + w : x, y: h < 0 ? y + h : y, w: size(w), h: size(h) };
}

type BoxedElement = Exclude<SlideElement, { type: 'line' }>;

function giveSize(
  element: BoxedElement,
  assetOf: (element: SlideElement & { type: 'image' }) => ImageAsset,
): BoxedElement {
  if ((element.w > 0 && element.h > 0) || element.type === 'shape') return element;
  if (element.type === 'image') {
    const { width, height } = assetOf(element);
    const room = roomBeyond(element);
    const w = element.w > 0 ? element.w : element.h > 0 ? (element.h * width) / height : room.w;
    const h = element.h > 0 ? element.h : element.w > 0 ? (element.w * height) / width : room.h;
    return { ...element, w, h };
  }
  const wide = { ...element, w: element.w > 0 ? element.w : roomBeyond(element).w };
  if (wide.h > 0) return wide;
  return { ...wide, h: wide.type === 'text' ? naturalTextHeight(wide) : roomBeyond(wide).h };
}

/** The room from an element's corner to the canvas' margin, an inch at least. */
function roomBeyond({ x, y }: Pick<Box, 'x' | 'y'>): { readonly w: number; readonly h: number } {
  return { w: Math.max(1, canvas.width - margin - x), h: Math.max(1, canvas.height - margin - y) };
}

function isOffCanvas({ x, y, w, h }: Box): boolean {
  return x >= canvas.width || y >= canvas.height || x + w <= 0 || y + h <= 0;
}

function clampBox({ x, y, w, h }: Box): Box {
  const left = clamp(x, canvas.width);
  const top = clamp(y, canvas.height);
  return { x: left, y: top, w: clamp(x + w, canvas.width) - left, h: clamp(y + h, canvas.height) - top };
}

function clamp(position: number, size: number): number {
  return Math.min(Math.max(position, -bleedMax), size + bleedMax);
}
