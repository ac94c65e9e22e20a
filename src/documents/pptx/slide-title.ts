import type { SlideElement } from '../../domain/documents/deck-spec.ts';

const fontSizeMin = 20;
const titleCharsMax = 200;

/**
 * The index of the text that names a slide: its largest one, 20 points at least, no list and no paragraph of prose;
 * -1 when there is none. Of equals the first.
 */
export function titleIndex(elements: readonly SlideElement[]): number {
  let title = -1;
  let largest = 0;
  for (const [index, element] of elements.entries()) {
    if (element.type !== 'text' || element.bullet || element.content.trim() === '') continue;
    const fontSize = element.fontSize ?? 0;
    if (fontSize < fontSizeMin || fontSize <= largest || element.content.length > titleCharsMax) continue;
    title = index;
    largest = fontSize;
  }
  return title;
}
