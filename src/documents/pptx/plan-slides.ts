import type { ImageAsset, ImageRef } from '../../domain/documents/common.ts';
import type { Box, Slide, SlideBackground, SlideElement } from '../../domain/documents/deck-spec.ts';
import { canvas, margin } from './measures.ts';
import { placeElement } from './placement.ts';
import { titleIndex } from './slide-title.ts';
import { layoutTable } from './table-layout.ts';
import { cutPages, type TablePage } from './table-pages.ts';

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

type TableElement = Extract<SlideElement, { type: 'table' }>;

/** Room between a table and what stands above or below it, inches. */
const gap = 0.15;
/** Where the slide number begins, inches from the top. */
const footerTop = canvas.height - margin;
/** How many elements besides its title a slide hands on to the slides that continue its tables. */
const repeatedMax = 12;

/**
 * Plans the slides that one slide of the spec needs: itself, and one more for every further page of its tables.
 *
 * A table may grow below its box down to the next element or the slide's foot. The slides that continue it repeat
 * the background, the title (numbered, as in `Sales (2/3)`), and what stands above the title, below the table or
 * around it: bands, rules, logos; they carry no notes.
 */
export function planSlide(
  slide: Slide,
  options: {
    readonly assetOf: (ref: ImageRef) => ImageAsset;
    readonly warn: (sentence: string) => void;
  },
): readonly PlannedSlide[] {
  const placed = slide.elements.flatMap((element) => {
    const drawn = isEmptyTable(element)
      ? undefined
      : placeElement(element, ({ image }) => options.assetOf(image));
    if (drawn === undefined) options.warn(`a ${element.type} element has nothing to show on the canvas`);
    return drawn ?? [];
  });
  const continued: { readonly table: TableElement; readonly pages: readonly TablePage[] }[] = [];
  const elements = placed.map((element): PlannedElement => {
    if (element.type !== 'table') return element;
    const [first, ...rest] = pagesOf(element, placed);
    if (rest.length > 0) continued.push({ table: element, pages: rest });
    return { type: 'tablePage', page: first };
  });
  const common = { background: slide.background, showPageNumber: slide.showPageNumber };
  const planned: PlannedSlide[] = [{ ...common, elements, title: titleIndex(placed), notes: slide.notes }];
  const count = continued.reduce((total, { pages }) => total + pages.length, 1);
  for (const { table, pages } of continued) {
    const repeated = repeatedElements(table, placed);
    for (const page of pages) {
      const numbered = repeated.map((element) =>
        numberTitle(element, placed, `(${planned.length + 1}/${count})`),
      );
      const onSlide: PlannedElement[] = [...numbered, { type: 'tablePage', page }];
      planned.push({ ...common, elements: onSlide, title: titleIndex(numbered), notes: undefined });
    }
  }
  return planned;
}

function isEmptyTable(element: SlideElement): boolean {
  if (element.type !== 'table') return false;
  const { columns, rows } = element.table;
  return (columns?.length ?? 0) === 0 && (rows[0]?.length ?? 0) === 0;
}

function pagesOf(
  element: TableElement,
  placed: readonly SlideElement[],
): readonly [TablePage, ...TablePage[]] {
  const firstBottom = bottomFor(element, placed);
  const nextTop = continuationTop(element, placed);
  const layout = layoutTable(element.table, element.w, Math.max(firstBottom - element.y, 0.5));
  const [first, ...rest] = cutPages(layout, element, { firstBottom, nextTop, nextBottom: footerTop });
  if (first === undefined) throw new Error('a table has no page');
  return [first, ...rest];
}

/** Down to the next element below the table that stands in its way, else to the slide's foot. */
function bottomFor(table: TableElement, placed: readonly SlideElement[]): number {
  let bottom = Math.max(footerTop, Math.min(table.y + table.h, canvas.height));
  for (const other of placed) {
    if (other === table) continue;
    const box = boxOf(other);
    const isBelow = box.y >= table.y + table.h - 0.05;
    const overlaps = box.x < table.x + table.w && box.x + box.w > table.x;
    if (isBelow && overlaps) bottom = Math.min(bottom, box.y - gap);
  }
  return Math.max(bottom, Math.min(table.y + table.h, canvas.height));
}

function continuationTop(table: TableElement, placed: readonly SlideElement[]): number {
  const head = headElements(table, placed).map(boxOf);
  const bottom = head.reduce((lowest, box) => Math.max(lowest, box.y + box.h), margin - gap);
  const top = Math.max(0, bottom + gap);
  // A table that begins a little lower keeps its place from slide to slide.
  return table.y - top < 1 ? table.y : top;
}

/** The title and what stands beside or above it. */
function headElements(table: TableElement, placed: readonly SlideElement[]): readonly SlideElement[] {
  const title = placed[titleIndex(placed)];
  if (title === undefined) return [];
  const titleBox = boxOf(title);
  const titleBottom = titleBox.y + titleBox.h;
  if (titleBottom > table.y + 0.05) return [];
  return placed.filter((element) => {
    const box = boxOf(element);
    return isRepeatable(element) && box.y + box.h <= Math.min(titleBottom + 0.25, table.y + 0.05);
  });
}

function repeatedElements(table: TableElement, placed: readonly SlideElement[]): readonly Repeatable[] {
  const head = new Set(headElements(table, placed));
  const title = placed[titleIndex(placed)];
  const repeated = placed.filter((element): element is Repeatable => {
    if (!isRepeatable(element)) return false;
    return head.has(element) || isFoot(boxOf(element)) || surrounds(boxOf(element), table);
  });
  return repeated.length <= repeatedMax ? repeated : repeated.filter((element) => element === title);
}

type Repeatable = Exclude<SlideElement, { type: 'table' | 'chart' }>;

function isRepeatable(element: SlideElement): element is Repeatable {
  return element.type !== 'table' && element.type !== 'chart';
}

function isFoot(box: Box): boolean {
  return box.y >= footerTop - 0.1;
}

function surrounds(outer: Box, inner: Box): boolean {
  return (
    outer.x <= inner.x &&
    outer.y <= inner.y &&
    outer.x + outer.w >= inner.x + inner.w &&
    outer.y + outer.h >= inner.y + inner.h
  );
}

function numberTitle(element: Repeatable, placed: readonly SlideElement[], number: string): Repeatable {
  if (element !== placed[titleIndex(placed)] || element.type !== 'text') return element;
  return { ...element, content: `${element.content} ${number}` };
}

function boxOf(element: SlideElement): Box {
  if (element.type !== 'line') return element;
  const { x1, y1, x2, y2 } = element;
  return { x: Math.min(x1, x2), y: Math.min(y1, y2), w: Math.abs(x2 - x1), h: Math.abs(y2 - y1) };
}
