import type { Table } from '../../domain/documents/common.ts';
import { columnNeeds, columnWidths, minimalWidth } from './column-widths.ts';
import { type Orientation, textArea } from './page.ts';

/** How the cells of a table are set: the ids of its styles and the measures that follow from them. */
export interface TableSize {
  readonly textStyle: string;
  readonly headerStyle: string;
  /** Half-points, as Word counts font sizes. */
  readonly fontHalfPoints: number;
  /** Left and right of a cell, twips. */
  readonly cellMargin: number;
}

export const tableSizes = {
  regular: { textStyle: 'TableText', headerStyle: 'TableHeader', fontHalfPoints: 19, cellMargin: 100 },
  compact: {
    textStyle: 'TableTextCompact',
    headerStyle: 'TableHeaderCompact',
    fontHalfPoints: 16,
    cellMargin: 70,
  },
  tiny: { textStyle: 'TableTextTiny', headerStyle: 'TableHeaderTiny', fontHalfPoints: 12, cellMargin: 40 },
} as const satisfies Record<string, TableSize>;

export interface TableLayout {
  readonly orientation: Orientation;
  readonly size: TableSize;
  /** Twips, whole, one for each column. */
  readonly widths: readonly number[];
}

/** From the most to the least readable. */
const attempts: readonly (readonly [Orientation, TableSize])[] = [
  ['portrait', tableSizes.regular],
  ['portrait', tableSizes.compact],
  ['landscape', tableSizes.regular],
  ['landscape', tableSizes.compact],
  ['landscape', tableSizes.tiny],
];

/** Picks the most readable setting in which no word of the table breaks, else the roomiest. */
export function layoutTable(table: Table): TableLayout {
  const needs = columnNeeds(table);
  const fitting = attempts.find(
    ([orientation, size]) =>
      minimalWidth(needs, emTwips(size), 2 * size.cellMargin) <= textArea(orientation).width,
  );
  const [orientation, size] = fitting ?? ['landscape', tableSizes.tiny];
  const { width } = textArea(orientation);
  return { orientation, size, widths: columnWidths(table, needs, width, emTwips(size), 2 * size.cellMargin) };
}

function emTwips(size: TableSize): number {
  return size.fontHalfPoints * 10;
}
