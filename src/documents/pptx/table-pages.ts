import type { Box, SlideElement } from '../../domain/documents/deck-spec.ts';
import { bottomOf, boxOf, shareWidth } from './boxes.ts';
import type { TableElement } from './continued-slide.ts';
import { canvas, footerTop } from './measures.ts';
import { heightOf, layoutTable, type TableLayout } from './table-layout.ts';

/** The rows of a table that stand on one slide. */
export interface TablePage {
  readonly layout: TableLayout;
  /** Rows `firstRow` to `endRow` - 1. */
  readonly firstRow: number;
  readonly endRow: number;
  readonly box: Box;
  /** Times the rows' own height: the rows of a short table share its box. */
  readonly stretch: number;
}

/** Rows spread out into their box by this much and no more. */
const stretchMax = 1.6;
/** Room kept above the next element, inches. */
const gap = 0.15;
/** Less than any table's page needs, inches: a table that begins at the slide's end runs over it. */
const pageHeightMin = 0.5;

/**
 * Cuts a table into pages of whole rows, the header again on each, one row at least.
 *
 * The first page begins at the table's box and may grow below it, down to the next element or the slide's foot; the
 * others run from `nextTop` to the foot. Inches.
 */
export function pageTable(
  table: TableElement,
  elements: readonly SlideElement[],
  nextTop: number,
): readonly [TablePage, ...TablePage[]] {
  const others = elements.filter((element) => element !== table).map(boxOf);
  const firstRoom = Math.max(bottomFor(table, others) - table.y, pageHeightMin);
  const nextRoom = Math.max(footerTop - nextTop, pageHeightMin);
  const layout = layoutTable(table.table, { width: table.w, firstRoom, nextRoom });
  const rowCount = layout.rows.length;
  let endRow = endOfPage(layout, 0, firstRoom);
  const first = firstPage(layout, endRow, table, { others, room: firstRoom });
  const rest: TablePage[] = [];
  while (endRow < rowCount) {
    const firstRow = endRow;
    endRow = endOfPage(layout, firstRow, nextRoom);
    const h = heightOf(layout, firstRow, endRow);
    rest.push({ layout, firstRow, endRow, stretch: 1, box: { x: table.x, y: nextTop, w: table.w, h } });
  }
  return [first, ...rest];
}

function firstPage(
  layout: TableLayout,
  endRow: number,
  table: TableElement,
  { others, room }: { readonly others: readonly Box[]; readonly room: number },
): TablePage {
  const own = heightOf(layout, 0, endRow);
  const isWhole = endRow === layout.rows.length;
  const nextBelow = topmost(others, table, table.y + own - 0.05) - gap - table.y;
  const spread = isWhole ? Math.min(table.h, room, nextBelow, own * stretchMax) : own;
  const h = Math.max(own, spread);
  const box = { x: table.x, y: table.y, w: table.w, h };
  return { layout, firstRow: 0, endRow, stretch: own > 0 ? h / own : 1, box };
}

/** The first row that no longer fits on a page which begins with `firstRow`. */
function endOfPage(layout: TableLayout, firstRow: number, room: number): number {
  let height = layout.header?.height ?? 0;
  let row = firstRow;
  for (; row < layout.rows.length; row++) {
    height += layout.rows[row]?.height ?? 0;
    if (row > firstRow && height > room + 1e-6) break;
  }
  return row;
}

/** How far down the first page may reach: it never takes more than its box where something stands right below. */
function bottomFor(table: TableElement, others: readonly Box[]): number {
  const boxBottom = Math.min(bottomOf(table), canvas.height);
  const below = topmost(others, table, bottomOf(table) - 0.05) - gap;
  return Math.max(boxBottom, Math.min(footerTop, below));
}

/** Where the topmost of the boxes begins that stand at `from` or lower in the table's way. */
function topmost(others: readonly Box[], table: Box, from: number): number {
  const inTheWay = others.filter((box) => box.y >= from && shareWidth(box, table));
  return inTheWay.reduce((top, { y }) => Math.min(top, y), Number.POSITIVE_INFINITY);
}
