import type { ImageAsset, ImageRef } from '../../domain/documents/common.ts';
import type { Slide, SlideBackground, SlideElement } from '../../domain/documents/deck-spec.ts';
import { specInvalid } from '../../domain/errors.ts';
import { limits } from '../../domain/limits.ts';
import { type ContinuedSlide, continuedSlide, type TableElement } from './continued-slide.ts';
import { placeElement } from './placement.ts';
import { titleIndex } from './slide-title.ts';
import { pageTable, type TablePage } from './table-pages.ts';

/** What stands on a slide: an element, or a page of a table in the place of the whole. */
export type PlannedElement =
  | Exclude<SlideElement, { type: 'table' }>
  | { readonly type: 'tablePage'; readonly page: TablePage };

/** A slide as it will be written. */
export interface PlannedSlide {
  readonly elements: readonly PlannedElement[];
  /** The index of the slide's title in `elements`, or -1. */
  readonly title: number;
  readonly background: SlideBackground | undefined;
  readonly notes: string | undefined;
  readonly showPageNumber: boolean;
}

export interface PlanOptions {
  readonly assetOf: (ref: ImageRef) => ImageAsset;
  readonly warn: (sentence: string) => void;
  /** How many slides the deck may still take. */
  readonly slidesLeft: number;
}

interface Continuation {
  readonly slide: ContinuedSlide;
  readonly pages: readonly TablePage[];
}

/**
 * Plans the slides that one slide of the spec needs: itself, and one more for every further page of its tables, which
 * repeats the background, the title (numbered, as in `Sales (2/3)`), head and foot, and carries no notes.
 *
 * @throws `spec_invalid` when that is more than `slidesLeft`
 */
export function planSlide(slide: Slide, options: PlanOptions): readonly PlannedSlide[] {
  const placed = slide.elements.flatMap((element) => placedElement(element, options));
  const title = titleIndex(placed);
  const continuations: Continuation[] = [];
  let count = 1;
  const elements = placed.map((element): PlannedElement => {
    if (element.type !== 'table') return element;
    const continued = continuedSlide(element, placed, placed[title]);
    const [first, ...rest] = pageTable(element, placed, continued.tableTop);
    continuations.push({ slide: continued, pages: rest });
    count += rest.length;
    if (count > options.slidesLeft) throw tooManySlides();
    return { type: 'tablePage', page: first };
  });
  const common = { background: slide.background, showPageNumber: slide.showPageNumber };
  const planned: PlannedSlide[] = [{ ...common, elements, title, notes: slide.notes }];
  for (const { slide: continued, pages } of continuations) {
    for (const page of pages) {
      const repeated = repeatedElements(continued, `(${planned.length + 1}/${count})`);
      planned.push({
        ...common,
        elements: [...repeated, { type: 'tablePage', page }],
        title: continued.title === undefined ? -1 : titleIndex(repeated),
        notes: undefined,
      });
    }
  }
  return planned;
}

function placedElement(element: SlideElement, { assetOf, warn }: PlanOptions): readonly SlideElement[] {
  const drawn = isEmptyTable(element) ? undefined : placeElement(element, ({ image }) => assetOf(image));
  if (drawn === undefined) warn(`a ${element.type} element has nothing to show on the canvas`);
  return drawn === undefined ? [] : [drawn];
}

function isEmptyTable(element: SlideElement): element is TableElement {
  if (element.type !== 'table') return false;
  const { columns, rows } = element.table;
  return (columns?.length ?? 0) === 0 && (rows[0]?.length ?? 0) === 0;
}

function repeatedElements({ elements, title }: ContinuedSlide, number: string): readonly ContinuedElement[] {
  return elements.map((element) =>
    element === title && element.type === 'text'
      ? { ...element, content: `${element.content} ${number}` }
      : element,
  );
}

type ContinuedElement = ContinuedSlide['elements'][number];

function tooManySlides() {
  return specInvalid('pptx', `the tables need more than ${limits.pptx.slidesWritten} slides`, '/slides');
}
