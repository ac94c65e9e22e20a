import type { ChartRanges } from '../charts/drawingml/chart-part.ts';
import { columnName, columnRange, quoteSheetName } from '../ooxml/cell-reference.ts';
import type { ChartData } from './chart-data.ts';
import type { SheetPlan } from './sheet-plan.ts';

/** A cell of a chart's own table: a formula with its result, or a plain value. */
export interface TableCell {
  readonly formula?: string;
  readonly value: string | number | null;
  readonly formatCode: string;
}

/** A small table on the chart sheet that its chart reads in place of the data: formulas over the data sheet. */
export interface ChartTable {
  readonly headers: readonly string[];
  readonly rows: readonly (readonly TableCell[])[];
}

/** Where a chart's own table stands. */
export interface TablePlace {
  readonly sheet: string;
  readonly headerRow: number;
}

export interface TabledChart extends ChartData {
  readonly table: ChartTable;
}

/** Returns links to the category and the value of one row of the data, text counting as zero. */
export function linkedCells(
  data: ChartData,
  plan: SheetPlan,
  index: number,
): readonly [category: TableCell, value: TableCell] {
  const [column = 1] = data.columns;
  const sheet = quoteSheetName(plan.name);
  const row = plan.firstRow + index;
  // Not N(), which takes TRUE for 1 where sums take it for nothing.
  const cell = `${sheet}!${columnName(column)}${row}`;
  return [
    {
      formula: `${sheet}!A${row}`,
      value: data.categoryNumbers?.values[index] ?? data.chart.labels[index] ?? '',
      formatCode: plan.columns[0]?.formatCode ?? 'General',
    },
    {
      formula: `IF(ISNUMBER(${cell}),${cell},0)`,
      value: data.chart.datasets[0]?.data[index] ?? 0,
      formatCode: valueFormat(data, plan),
    },
  ];
}

export function valueFormat(data: ChartData, plan: SheetPlan): string {
  return plan.columns[data.columns[0] ?? 1]?.formatCode ?? 'General';
}

/** Returns the ranges of a table whose series stand side by side from `firstColumn` on. */
export function tableRanges(
  { sheet, headerRow }: TablePlace,
  rowCount: number,
  firstColumn: number,
  seriesCount: number,
): ChartRanges {
  const first = headerRow + 1;
  const last = headerRow + Math.max(1, rowCount);
  return {
    categories: columnRange(sheet, 0, first, last),
    series: Array.from({ length: seriesCount }, (_, index) => ({
      name: columnRange(sheet, firstColumn + index, headerRow, headerRow),
      values: columnRange(sheet, firstColumn + index, first, last),
    })),
  };
}
