import type { Align } from '../../../domain/documents/common.ts';
import type { Look } from '../../fonts/typesetter.ts';
import type { TextSetting } from '../draw-text.ts';
import type { ReportContext } from '../report-context.ts';
import { bold, plainSpans, regular } from '../rich-text.ts';
import { layOutText, type TextLine } from '../text-layout.ts';
import { theme } from '../theme.ts';
import type { MeasuredTable } from './table-columns.ts';

/** A cell: the text of a line that is written straight, or lines laid out. */
export type Cell = string | readonly TextLine[];

export interface Row {
  readonly cells: readonly Cell[];
  readonly lineCount: number;
}

/** A table laid out for its columns; rows are laid out as they are asked for. */
export interface TableLayout {
  readonly table: MeasuredTable;
  readonly header: Row;
  readonly rows: { readonly count: number; row(index: number): Row | undefined };
  /** Left edges of the columns' text, points from the page's left edge. */
  readonly lefts: readonly number[];
  readonly size: number;
  readonly lineHeight: number;
  readonly paddingY: number;
}

/** More lines of a header would leave no room for rows. */
const headerLinesMax = 12;

export function layOutTable(context: ReportContext, table: MeasuredTable): TableLayout {
  const { size, paddingX, widths } = table;
  const lefts: number[] = [];
  let left = context.flow.left;
  for (let place = 0; place < widths.length; place++) {
    const column = context.isRightToLeft ? widths.length - 1 - place : place;
    lefts[column] = left + paddingX;
    left += widths[column] ?? 0;
  }
  const linesOf = (text: string, look: Look, column: number): TextLine[] => {
    const width = (widths[column] ?? 0) - 2 * paddingX;
    return text
      .split(/\r\n|[\n\r\u2028\u2029]/)
      .flatMap((line) =>
        layOutText(plainSpans(line.replace(/\t/g, '    ').trimEnd(), look), width, size, context.typesetter),
      );
  };
  const cellOf = (text: string, row: number, column: number): Cell => {
    if (text === '') return [];
    const ems = table.ems[row * widths.length + column] ?? Number.NaN;
    const fits = ems * size <= (widths[column] ?? 0) - 2 * paddingX + 0.001;
    return fits ? text : linesOf(text, regular, column);
  };
  const headerCells = table.headers.map((text, column) =>
    text === '' ? [] : linesOf(text, bold, column).slice(0, headerLinesMax),
  );
  let last: { readonly index: number; readonly row: Row } | undefined;
  return {
    table,
    header: rowOf(headerCells),
    rows: {
      count: table.cells.length,
      row(index) {
        const texts = table.cells[index];
        if (texts === undefined) return undefined;
        // The first row is asked for twice: to see whether it fits, then to draw it.
        if (last?.index !== index) {
          last = { index, row: rowOf(texts.map((text, column) => cellOf(text, index, column))) };
        }
        return last.row;
      },
    },
    lefts,
    size,
    lineHeight: size * 1.35,
    paddingY: (theme.table.paddingY * size) / theme.table.size,
  };
}

function rowOf(cells: readonly Cell[]): Row {
  let lineCount = 1;
  for (const cell of cells) if (typeof cell !== 'string') lineCount = Math.max(lineCount, cell.length);
  return { cells, lineCount };
}

export function rowHeight(layout: TableLayout, lineCount: number): number {
  return lineCount * layout.lineHeight + 2 * layout.paddingY;
}

export function headerHeight(layout: TableLayout): number {
  return rowHeight(layout, layout.header.lineCount);
}

/** How the cells of each column are set. */
export function columnSettings(layout: TableLayout, color: string, isRightToLeft: boolean): TextSetting[] {
  const { widths, aligns, paddingX } = layout.table;
  return widths.map((width, index) => ({
    x: layout.lefts[index] ?? 0,
    width: width - 2 * paddingX,
    size: layout.size,
    lineHeight: layout.lineHeight,
    color,
    ...alignment(aligns[index] ?? 'left', isRightToLeft),
  }));
}

/** Columns of text begin where their text does; in a report that runs from right to left, at the right. */
function alignment(align: Align, isRightToLeft: boolean): { readonly align?: Align } {
  if (align === 'left') return isRightToLeft ? { align: 'right' } : {};
  return { align };
}
