import type { Align } from '../../domain/documents/common.ts';
import type { DeckTable } from '../../domain/documents/deck-spec.ts';
import { alignOf, formatValue } from '../../domain/documents/format-value.ts';
import {
  boldFactor,
  type ColumnNeed,
  divideWidth,
  measureColumns,
  type ShownRows,
  widthReserve,
} from './table-columns.ts';
import { countLines, measureText, splitParagraphs } from './text-lines.ts';

/** A table with its texts, sizes and positions decided, before it is cut into pages. */
export interface TableLayout {
  readonly table: DeckTable;
  /** `shown[row][column]`: the formatted text. */
  readonly shown: ShownRows;
  readonly aligns: readonly Align[];
  /** Inches. */
  readonly columnWidths: readonly number[];
  /** Points. */
  readonly fontSize: number;
  /** Inches; 0 without a header row. */
  readonly headerHeight: number;
  /** Inches, one for each row. */
  readonly rowHeights: Float64Array;
  /** Points, of the rows that are too tall for a page at `fontSize`. */
  readonly rowFontSizes: ReadonlyMap<number, number>;
}

/** Inches from a cell's edge to its text. */
export const cellPadding = { horizontal: 0.1, vertical: 0.04 } as const;

/** Line pitch times the font size: as high as that of the tallest font that stands in for Arial (Noto Sans). */
const lineHeight = 1.36;

/** Tried in turn when a spec names no font size: the first at which the table fits its slide, else the third. */
const fontSizes = [14, 13, 12, 11, 10] as const;
const fontSizeDefault = 12;
const fontSizeSmallest = 8;

/** Decides a table's column widths, font size and row heights for a width and the height of one page, inches. */
export function layoutTable(table: DeckTable, width: number, pageHeight: number): TableLayout {
  const columnCount = Math.max(table.columns?.length ?? 0, table.rows[0]?.length ?? 0);
  const shown = table.rows.map((row) =>
    row.map((cell, column) => formatValue(cell.value, table.columns?.[column]?.format)),
  );
  const values = {
    columns: table.columns ?? [],
    rows: table.rows.map((row) => row.map(({ value }) => value)),
  };
  const aligns = Array.from({ length: columnCount }, (_, column) => alignOf(values, column));
  const needs = measureColumns(table, shown, columnCount);
  const layoutAt = (fontSize: number) =>
    layoutSized({ table, shown, aligns }, needs, { fontSize, width, pageHeight });
  if (table.fontSize !== undefined) return layoutAt(table.fontSize);
  // A table far too long for one slide is not worth trying at every size.
  if (table.rows.length > 40) return layoutAt(sizeForWords(needs, width, fontSizeDefault));
  for (const fontSize of fontSizes) {
    if (sizeForWords(needs, width, fontSize) < fontSize) continue;
    const layout = layoutAt(fontSize);
    if (heightOf(layout) <= pageHeight) return layout;
  }
  return layoutAt(sizeForWords(needs, width, fontSizeDefault));
}

/** The largest size up to `fontSize` at which no word of any column is cut, 8 points at least. */
function sizeForWords(needs: readonly ColumnNeed[], width: number, fontSize: number): number {
  const padding = needs.length * 2 * cellPadding.horizontal;
  const words = needs.reduce((total, { least }) => total + least, 0) * (widthReserve / 1_000 / 72);
  const largest = words > 0 ? (width - padding) / words : fontSize;
  return Math.min(fontSize, Math.max(fontSizeSmallest, Math.floor(largest * 2) / 2));
}

function heightOf(layout: TableLayout): number {
  return layout.rowHeights.reduce((total, height) => total + height, layout.headerHeight);
}

type Content = Pick<TableLayout, 'table' | 'shown' | 'aligns'>;

interface Room {
  readonly fontSize: number;
  readonly width: number;
  readonly pageHeight: number;
}

function layoutSized(content: Content, needs: readonly ColumnNeed[], room: Room): TableLayout {
  const { table, shown } = content;
  const { fontSize } = room;
  const padding = 2 * cellPadding.horizontal;
  const columnWidths = divideWidth(table, needs, { width: room.width, fontSize, padding });
  const heightAt = (texts: readonly string[], points: number, factor: number) =>
    rowLines(texts, columnWidths, points, factor) * (points / 72) * lineHeight + 2 * cellPadding.vertical;
  const headerTexts = table.columns?.map(({ header }) => header);
  const headerHeight = headerTexts === undefined ? 0 : heightAt(headerTexts, fontSize, boldFactor);
  const rowHeights = new Float64Array(shown.length);
  const rowFontSizes = new Map<number, number>();
  const rowRoom = Math.max(room.pageHeight - headerHeight, 0.2);
  for (const [index, texts] of shown.entries()) {
    const factor = table.rows[index]?.some(({ bold }) => bold === true) ? boldFactor : 1;
    let height = heightAt(texts, fontSize, factor);
    if (height > rowRoom) {
      const points = largestSize((size) => heightAt(texts, size, factor) <= rowRoom, fontSize);
      rowFontSizes.set(index, points);
      height = heightAt(texts, points, factor);
    }
    rowHeights[index] = height;
  }
  return { ...content, columnWidths, fontSize, headerHeight, rowHeights, rowFontSizes };
}

function largestSize(fits: (points: number) => boolean, from: number): number {
  let low = 1;
  let high = from;
  for (let step = 0; step < 8; step++) {
    const middle = (low + high) / 2;
    if (fits(middle)) low = middle;
    else high = middle;
  }
  return Math.floor(low * 10) / 10;
}

function rowLines(
  texts: readonly string[],
  widths: readonly number[],
  points: number,
  factor: number,
): number {
  let most = 1;
  for (const [column, text] of texts.entries()) {
    const room =
      (((widths[column] ?? 0) - 2 * cellPadding.horizontal) * 72 * 1_000) / (points * factor * widthReserve);
    // Most cells are one short line, which needs no measuring: no glyph is wider than its em.
    if (text.length * 1_000 <= room && !text.includes('\n')) continue;
    let lines = 0;
    for (const line of splitParagraphs(text)) lines += countLines(measureText(line), room);
    if (lines > most) most = lines;
  }
  return most;
}
