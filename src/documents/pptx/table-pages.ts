import type { Box } from '../../domain/documents/deck-spec.ts';
import type { TableLayout } from './table-layout.ts';

/** The rows of a table that stand on one slide. */
export interface TablePage {
  readonly layout: TableLayout;
  /** Rows `firstRow` to `endRow` - 1. */
  readonly firstRow: number;
  readonly endRow: number;
  readonly box: Box;
  /** Times the rows' own height: rows share a box that they do not fill. */
  readonly stretch: number;
}

const stretchMax = 1.6;

/**
 * Cuts a table into pages: whole rows, the header again on each, one row at least. The first page starts at the
 * box's top and ends at `firstBottom`; the others run from `nextTop` to `nextBottom`. Inches.
 */
export function cutPages(
  layout: TableLayout,
  box: Box,
  limits: { readonly firstBottom: number; readonly nextTop: number; readonly nextBottom: number },
): readonly TablePage[] {
  const pages: TablePage[] = [];
  const rowCount = layout.rowHeights.length;
  let firstRow = 0;
  do {
    const top = pages.length === 0 ? box.y : limits.nextTop;
    const room = (pages.length === 0 ? limits.firstBottom : limits.nextBottom) - top;
    let endRow = firstRow;
    let height = layout.headerHeight;
    while (endRow < rowCount) {
      const next = layout.rowHeights[endRow] ?? 0;
      if (endRow > firstRow && height + next > room + 1e-6) break;
      height += next;
      endRow++;
    }
    const isWhole = pages.length === 0 && endRow === rowCount;
    const stretch = isWhole && height > 0 ? Math.min(Math.max(box.h / height, 1), stretchMax) : 1;
    pages.push({ layout, firstRow, endRow, stretch, box: { ...box, y: top, h: height * stretch } });
    firstRow = endRow;
  } while (firstRow < rowCount);
  return pages;
}
