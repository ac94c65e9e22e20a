import type { SlideElement } from '../../domain/documents/deck-spec.ts';

type TextElement = Extract<SlideElement, { type: 'text' }>;

const fontSizeMin = 20;
const titleCharsMax = 200;
/** Inches: where a heading's middle stands, if the slide has one. */
const headZone = 1.8;

/**
 * The index of the text that names a slide, or -1: 20 points at least, or bold at the slide's head, no list and no
 * paragraph of prose. The topmost of those at the head, else the largest.
 */
export function titleIndex(elements: readonly SlideElement[]): number {
  let title = -1;
  let best: TextElement | undefined;
  for (const [index, element] of elements.entries()) {
    if (!isCandidate(element) || (best !== undefined && !isBetter(element, best))) continue;
    title = index;
    best = element;
  }
  return title;
}

function isCandidate(element: SlideElement): element is TextElement {
  return (
    element.type === 'text' &&
    !element.bullet &&
    ((element.fontSize ?? 0) >= fontSizeMin || (element.bold && atHead(element))) &&
    element.content.length <= titleCharsMax &&
    element.content.trim() !== ''
  );
}

function isBetter(one: TextElement, other: TextElement): boolean {
  if (atHead(one) !== atHead(other)) return atHead(one);
  return atHead(one) ? one.y < other.y : (one.fontSize ?? 0) > (other.fontSize ?? 0);
}

function atHead({ y, h }: TextElement): boolean {
  return y + h / 2 <= headZone;
}
