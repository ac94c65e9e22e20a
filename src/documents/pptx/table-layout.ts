import type { Align } from '../../domain/documents/common.ts';
import type { DeckTable } from '../../domain/documents/deck-spec.ts';
import { alignOf, formatValue } from '../../domain/documents/format-value.ts';
import { usableFontSize } from './measures.ts';
import {
  type ColumnNeed,
  divideWidth,
  measureColumns,
  type ShownRows,
  widthReserve,
} from './table-columns.ts';
import { type RowSize, sizeRow } from './table-rows.ts';
import { isRightToLeft } from './text-body.ts';

/** A table with its texts, sizes and positions decided, before it is cut into pages. */
export interface TableLayout {
  readonly table: DeckTable;
  /** `shown[row][column]`: the formatted text. */
  readonly shown: ShownRows;
  readonly aligns: readonly Align[];
  /** The first column stands at the right. */
  readonly rightToLeft: boolean;
  /** Inches. */
  readonly columnWidths: readonly number[];
  /** Inches from a cell's left and right edge to its text. */
  readonly padding: number;
  /** Absent: there is no header row. */
  readonly header: RowSize | undefined;
  readonly rows: readonly RowSize[];
}

/** Inches. */
export interface TableRoom {
  readonly width: number;
  /** The height of the page on which the table begins, and of those on which it goes on. */
  readonly firstRoom: number;
  readonly nextRoom: number;
}

/** Tried in turn when a spec names no font size: the first at which the table fits one slide, else the default. */
const fontSizes = [14, 13, 12, 11, 10] as const;
const fontSizeDefault = 12;
const fontSizeSmallest = 6;
const paddingMax = 0.1;
/** The share of a page that a header may take. */
const headerShare = 0.4;

/** Decides a table's font size, column widths and row heights. */
export function layoutTable(table: DeckTable, room: TableRoom): TableLayout {
  const content = readContent(table);
  const padding = Math.min(paddingMax, (room.width / content.aligns.length) * 0.12);
  const needs = measureColumns(table, content.shown, content.aligns.length);
  const layoutAt = (fontSize: number) => layoutSized(content, needs, { ...room, padding, fontSize });
  const sizeFor = (fontSize: number) => sizeForWords(needs, room.width, padding, fontSize);
  const asked = usableFontSize(table.fontSize, 0);
  if (asked > 0) return layoutAt(asked);
  const fitsOneSlide = (fontSize: number) => {
    const layout = layoutAt(fontSize);
    return heightOf(layout, 0, layout.rows.length) <= room.firstRoom;
  };
  const sizes = fontSizes.filter((size) => sizeFor(size) === size);
  const smallest = sizes.at(-1);
  // What is too long at the smallest size is so at every other.
  if (smallest !== undefined && fitsOneSlide(smallest)) return layoutAt(sizes.find(fitsOneSlide) ?? smallest);
  return layoutAt(sizeFor(fontSizeDefault));
}

/** The height of a page with the header and rows `firstRow` to `endRow` - 1, inches. */
export function heightOf({ header, rows }: TableLayout, firstRow: number, endRow: number): number {
  let height = header?.height ?? 0;
  for (let row = firstRow; row < endRow; row++) height += rows[row]?.height ?? 0;
  return height;
}

type Content = Pick<TableLayout, 'table' | 'shown' | 'aligns' | 'rightToLeft'>;

function readContent(table: DeckTable): Content {
  const columns = table.columns ?? [];
  const columnCount = Math.max(columns.length, table.rows[0]?.length ?? 0);
  const values = { columns, rows: table.rows.map((row) => row.map(({ value }) => value)) };
  const shown = values.rows.map((row) =>
    row.map((value, column) => formatValue(value, columns[column]?.format)),
  );
  const rightToLeft = isRightToLeft(columns[0]?.header ?? shown[0]?.[0] ?? '');
  const aligns = Array.from({ length: columnCount }, (_, column) => {
    const align = alignOf(values, column);
    return rightToLeft && columns[column]?.align === undefined ? mirrored[align] : align;
  });
  return { table, shown, aligns, rightToLeft };
}

const mirrored = { left: 'right', center: 'center', right: 'left' } as const;

/** The largest size up to `fontSize` at which no word of any column is cut, 6 points at least. */
function sizeForWords(
  needs: readonly ColumnNeed[],
  width: number,
  padding: number,
  fontSize: number,
): number {
  const words = needs.reduce((total, { least }) => total + least, 0) * (widthReserve / 1_000 / 72);
  const largest = words > 0 ? (width - needs.length * 2 * padding) / words : fontSize;
  return Math.min(fontSize, Math.max(fontSizeSmallest, Math.floor(largest * 2) / 2));
}

function layoutSized(
  content: Content,
  needs: readonly ColumnNeed[],
  room: TableRoom & { readonly padding: number; readonly fontSize: number },
): TableLayout {
  const { table, shown } = content;
  const { padding, fontSize, firstRoom, nextRoom } = room;
  const columnWidths = divideWidth(table, needs, { width: room.width, fontSize, padding: 2 * padding });
  const cells = { widths: columnWidths.map((width) => width - 2 * padding), fontSize };
  const header =
    table.columns &&
    sizeRow(
      table.columns.map((column) => column.header),
      cells,
      true,
      Math.min(firstRoom, nextRoom) * headerShare,
    );
  const headerHeight = header?.height ?? 0;
  const rows = shown.map((texts, index) => {
    const isBold = table.rows[index]?.some(({ bold }) => bold === true) ?? false;
    return sizeRow(texts, cells, isBold, (index === 0 ? firstRoom : nextRoom) - headerHeight);
  });
  return { ...content, columnWidths, padding, header, rows };
}
