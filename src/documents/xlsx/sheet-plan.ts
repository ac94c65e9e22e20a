import type { CellValue } from '../../domain/documents/common.ts';
import type { FormulaType, TotalsRow, WorkbookSpec } from '../../domain/documents/workbook-spec.ts';
import { columnName } from '../ooxml/cell-reference.ts';
import { displayedValue } from '../ooxml/displayed-value.ts';
import { type ColumnPlan, planColumn } from './column-plan.ts';
import { sheetName } from './sheet-name.ts';
import { sheetText } from './sheet-text.ts';
import { textWidth } from './text-width.ts';
import { type FormulaResult, formulaResult } from './totals.ts';

/** One cell of a totals row: its formula without `=`, and what the formula gives. */
interface TotalCell {
  readonly formula: string;
  readonly result: FormulaResult;
  readonly formatCode: string;
}

export interface TotalsPlan {
  readonly row: number;
  /** Column of the label, undefined where every column has a total. */
  readonly labelColumn: number | undefined;
  readonly label: string;
  readonly cells: ReadonlyMap<number, TotalCell>;
}

/**
 * Where everything of the data sheet stands. Rows count from one: the header, the data (at least one row, so that
 * formulas and charts have a range), the totals. Only a logo moves them down: it stands above, with the title and a
 * spacer. A title without a logo names the sheet and heads the printed pages, so that the table keeps its first row.
 */
export interface SheetPlan {
  readonly name: string;
  readonly title: string | undefined;
  readonly logoRow: number | undefined;
  readonly titleRow: number | undefined;
  readonly headerRow: number;
  readonly firstRow: number;
  readonly lastRow: number;
  readonly columns: readonly ColumnPlan[];
  /** Characters of the default font, by column. */
  readonly widths: readonly number[];
  /** `cells[row][column]`, as the sheet holds them: dates are day numbers, null is an empty cell. */
  readonly cells: readonly (readonly CellValue[])[];
  readonly totals: readonly TotalsPlan[];
}

const defaultLabels: Readonly<Record<FormulaType, string>> = {
  SUM: 'Total',
  AVERAGE: 'Average',
  COUNT: 'Count',
  COUNTA: 'Count',
  MIN: 'Minimum',
  MAX: 'Maximum',
  MEDIAN: 'Median',
  PRODUCT: 'Product',
  STDEV: 'Standard deviation',
  VAR: 'Variance',
};

const widthMin = 8;
const widthMax = 62;
const headerWidthMax = 26;
/** Room for the filter's button beside the header's text. */
const filterButtonWidth = 4;

export function planSheet(spec: WorkbookSpec): SheetPlan {
  const planned = spec.columns.map((column, index) =>
    planColumn(
      column,
      spec.rows.map((row) => row[index] ?? null),
    ),
  );
  const columns = planned.map(({ plan }) => plan);
  const cells = spec.rows.map((_, row) => planned.map((column) => column.cells[row] ?? null));
  const title = spec.title === undefined || spec.title === '' ? undefined : sheetText(spec.title);
  const logoRow = spec.logo === undefined ? undefined : 1;
  const titleRow = title === undefined || logoRow === undefined ? undefined : logoRow + 1;
  const above = titleRow ?? logoRow;
  const headerRow = above === undefined ? 1 : above + 2;
  const firstRow = headerRow + 1;
  const lastRow = headerRow + Math.max(1, cells.length);
  const totals = spec.totals.map((entry, index) =>
    planTotals(
      entry,
      lastRow + 1 + index,
      columns,
      planned.map((column) => column.cells),
      firstRow,
      lastRow,
    ),
  );
  const scale = (spec.styles.fontSize ?? 11) / 11;
  return {
    name: sheetName(spec.title, 'Data'),
    title,
    logoRow,
    titleRow,
    headerRow,
    firstRow,
    lastRow,
    columns,
    widths: columns.map((column, index) => columnWidth(column, index, totals, scale)),
    cells,
    totals,
  };
}

function planTotals(
  entry: TotalsRow,
  row: number,
  columns: readonly ColumnPlan[],
  values: readonly (readonly CellValue[])[],
  firstRow: number,
  lastRow: number,
): TotalsPlan {
  const cells = new Map<number, TotalCell>();
  for (const index of entry.columns) {
    const column = columns[index];
    if (column === undefined) continue;
    const letters = columnName(index);
    cells.set(index, {
      formula: `${entry.type}(${letters}${firstRow}:${letters}${lastRow})`,
      result: formulaResult(entry.type, values[index] ?? []),
      formatCode: totalFormat(entry.type, column),
    });
  }
  const firstTotal = Math.min(...cells.keys(), columns.length);
  const free = columns.map((_, index) => index).filter((index) => !cells.has(index));
  const labelColumn =
    free.find((index) => index === 0) ?? free.filter((index) => index < firstTotal).at(-1) ?? free[0];
  return { row, labelColumn, label: sheetText(entry.label ?? defaultLabels[entry.type]), cells };
}

/** Counts are whole numbers, and what is not in the column's own unit is a plain number. */
function totalFormat(type: FormulaType, column: ColumnPlan): string {
  if (type === 'COUNT' || type === 'COUNTA') return '#,##0';
  if (column.isDate) {
    if (type === 'SUM' && column.format?.kind === 'time') return '[h]:mm:ss';
    return ['MIN', 'MAX', 'AVERAGE', 'MEDIAN'].includes(type) ? column.formatCode : 'General';
  }
  if (type === 'VAR' || (type === 'PRODUCT' && column.formatCode !== 'General')) return '#,##0.00';
  const spreads = type === 'AVERAGE' || type === 'MEDIAN' || type === 'STDEV';
  if (spreads && (column.formatCode === 'General' || column.format?.kind === 'integer')) return '#,##0.00';
  return column.format?.kind === 'text' ? 'General' : column.formatCode;
}

function columnWidth(
  column: ColumnPlan,
  index: number,
  totals: readonly TotalsPlan[],
  scale: number,
): number {
  if (column.width !== undefined) return Math.min(255, Math.max(1, column.width));
  // Bold letters are a little wider.
  const header = Math.min(headerWidthMax, textWidth(column.header) * 1.1) + filterButtonWidth;
  const totalled = totals.map((total) => {
    const cell = total.cells.get(index);
    if (cell === undefined)
      return total.labelColumn === index ? Math.min(headerWidthMax, textWidth(total.label)) : 0;
    return typeof cell.result === 'number' ? displayedValue(cell.result, cell.formatCode).length : 7;
  });
  const content = Math.max(column.contentWidth, ...totalled.map((width) => width * 1.1));
  const width = Math.max(header, content + 3, widthMin) * scale;
  return Math.round(Math.min(width, widthMax * Math.max(1, scale)) * 100) / 100;
}
