import type { SlideElement } from '../../domain/documents/deck-spec.ts';
import { bottomOf, boxOf, surrounds } from './boxes.ts';
import { footerTop, margin } from './measures.ts';

export type TableElement = Extract<SlideElement, { type: 'table' }>;
type RepeatedElement = Exclude<SlideElement, { type: 'table' | 'chart' }>;

/** What the slides that continue a table take over from the slide where it begins. */
export interface ContinuedSlide {
  readonly elements: readonly RepeatedElement[];
  /** The slide's title, if it is among the elements. */
  readonly title: SlideElement | undefined;
  /** Where the table goes on, inches from the top. */
  readonly tableTop: number;
}

/** How many elements besides the title a slide hands on. */
const repeatedMax = 12;
/** Room between the slide's head and the table, inches. */
const gap = 0.15;

/**
 * Decides what is repeated where a table continues: the slide's head (its title and what stands beside or above it),
 * its foot, and whatever surrounds the table, such as a band or a frame. Charts and other tables are not.
 */
export function continuedSlide(
  table: TableElement,
  elements: readonly SlideElement[],
  title: SlideElement | undefined,
): ContinuedSlide {
  const head = elements.filter((element) => isHead(element, table, title));
  const keepsTitle = title !== undefined && head.includes(title);
  const repeated = elements.filter(
    (element): element is RepeatedElement =>
      isRepeatable(element) &&
      (head.includes(element) || isFoot(element) || surrounds(boxOf(element), table)),
  );
  return {
    elements: repeated.length <= repeatedMax ? repeated : repeated.filter((element) => element === title),
    title: keepsTitle ? title : undefined,
    tableTop: topBelow(head, table),
  };
}

function topBelow(head: readonly SlideElement[], table: TableElement): number {
  const bottom = head.reduce((lowest, element) => Math.max(lowest, bottomOf(boxOf(element))), margin - gap);
  const top = Math.max(0, bottom + gap);
  // A table that begins only a little lower keeps its place from slide to slide.
  return table.y - top < 1 ? Math.max(0, table.y) : top;
}

function isHead(element: SlideElement, table: TableElement, title: SlideElement | undefined): boolean {
  if (title === undefined || !isRepeatable(element)) return false;
  const titleBottom = bottomOf(boxOf(title));
  const tableTop = table.y + 0.05;
  return titleBottom <= tableTop && bottomOf(boxOf(element)) <= Math.min(titleBottom + 0.25, tableTop);
}

function isFoot(element: SlideElement): boolean {
  return boxOf(element).y >= footerTop - 0.1;
}

function isRepeatable(element: SlideElement): element is RepeatedElement {
  return element.type !== 'table' && element.type !== 'chart';
}
