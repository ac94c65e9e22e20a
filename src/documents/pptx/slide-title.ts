import type { SlideElement } from '../../domain/documents/deck-spec.ts';
import { usableFontSize } from './measures.ts';
import { fontSizeDefault } from './text-element.ts';

type TextElement = Extract<SlideElement, { type: 'text' }>;

/** Points from which a text is a heading by its size alone. */
const headingSize = 20;
const titleCharsMax = 200;
/** Inches from the top: a heading's middle stands above it, if the slide has one. */
const headZone = 1.8;

/**
 * The index of the text that names a slide, or -1: no list and no paragraph of prose. A heading at the slide's head
 * comes first, then one elsewhere, as on a cover, then any text at the head; of equals the largest, then the topmost.
 */
export function titleIndex(elements: readonly SlideElement[]): number {
  let title = -1;
  let best: TextElement | undefined;
  for (const [index, element] of elements.entries()) {
    if (element.type !== 'text' || rankOf(element) === 0) continue;
    if (best !== undefined && !isBetter(element, best)) continue;
    title = index;
    best = element;
  }
  return title;
}

function isBetter(one: TextElement, other: TextElement): boolean {
  const byRank = rankOf(one) - rankOf(other) || sizeOf(one) - sizeOf(other) || other.y - one.y;
  return byRank > 0;
}

function rankOf(element: TextElement): number {
  const { content, bullet, bold, y, h } = element;
  if (bullet || content.length > titleCharsMax || content.trim() === '') return 0;
  const isBig = sizeOf(element) >= headingSize;
  if (y + h / 2 <= headZone) return isBig || bold ? 3 : 1;
  return isBig ? 2 : 0;
}

function sizeOf({ fontSize }: TextElement): number {
  return usableFontSize(fontSize, fontSizeDefault);
}
