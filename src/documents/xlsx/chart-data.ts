import type { CellValue, Chart, ChartDataset, ChartType } from '../../domain/documents/common.ts';
import { specInvalid } from '../../domain/errors.ts';
import type { ChartRanges } from '../charts/drawingml/chart-part.ts';
import type { CategoryNumbers } from '../charts/drawingml/data-xml.ts';
import { plottedSeries } from '../charts/drawingml/plotted-series.ts';
import type { PlottedSeries } from '../charts/drawingml/series.ts';
import { columnName, columnRange } from '../ooxml/cell-reference.ts';
import { displayedValue } from '../ooxml/displayed-value.ts';
import type { Palette } from '../palettes.ts';
import type { ColumnPlan } from './column-plan.ts';
import type { SheetPlan } from './sheet-plan.ts';

/** A chart of the data sheet's columns, and the cells that it reads. */
export interface ChartData {
  readonly chart: Chart;
  readonly series: readonly PlottedSeries[];
  readonly ranges: ChartRanges;
  readonly categoryNumbers: CategoryNumbers | undefined;
  /** Zero-based columns of the sheet that are drawn. */
  readonly columns: readonly number[];
  /** Sentences about what the chart leaves out. */
  readonly notes: readonly string[];
}

const seriesMax = 30;
/** Columns thinner than a few pixels show nothing; a line or an area shows any number of rows. */
const columnsDrawnMax = 1_000;
const columnCategoriesMax = 250;

/**
 * Returns the chart of a sheet: the first column names the categories, every other numeric column is a series. Without
 * rows, a column is taken for numeric unless its format says what else it is.
 *
 * @throws `spec_invalid` when no column besides the first is numeric.
 */
export function chartData(
  type: ChartType,
  title: string | undefined,
  plan: SheetPlan,
  palette: Palette,
): ChartData {
  const isEmpty = plan.cells.length === 0;
  const numeric = plan.columns.flatMap((column, index) =>
    index > 0 && (column.numeric || (isEmpty && column.format === undefined)) ? [index] : [],
  );
  if (numeric.length === 0) {
    throw specInvalid('excel', 'a chart needs a numeric column besides the first', '/chartType');
  }
  const isTabled = type === 'pie' || type === 'doughnut' || type === 'waterfall';
  const drawn = isTabled ? numeric.slice(0, 1) : numeric;
  const columns = drawn.slice(0, seriesMax);
  const rows = Math.min(plan.cells.length, categoriesMax(type, columns.length));
  const cells = plan.cells.slice(0, rows);
  const lastRow = plan.firstRow + Math.max(1, rows) - 1;
  const names = columns.map((index) => columnHeader(plan, index));
  const lines = type === 'combo' ? lineColumns(plan, columns) : [];
  const datasets = columns.map(
    (index, order): ChartDataset => ({
      label: names[order] ?? '',
      data: cells.map((row) => numberOrNull(row[index])),
      ...(type === 'combo' ? { type: lines.includes(index) ? 'line' : 'bar' } : {}),
    }),
  );
  const numbers = categoryNumbers(
    cells.map((row) => row[0] ?? null),
    plan.columns[0],
  );
  const [firstColumn] = columns as [number];
  const format = plan.columns[firstColumn]?.format;
  const chart: Chart = {
    type,
    ...chartTitle(title, names),
    labels: cells.map((row) =>
      numbers === undefined || isTabled ? categoryLabel(row[0] ?? null, plan.columns[0]) : '',
    ),
    datasets,
    options: {
      ...axisTitle('xAxisTitle', columnHeader(plan, 0)),
      ...axisTitle('yAxisTitle', joinedHeaders(columns.filter((index) => !lines.includes(index)))),
      ...axisTitle('secondaryAxisTitle', joinedHeaders(lines)),
      ...(format === undefined ? {} : { numberFormat: format }),
    },
  };
  const series = plottedSeries(chart, palette).map((one, order) => {
    const own = plan.columns[columns[order] ?? firstColumn]?.format;
    return own === undefined ? one : { ...one, format: own };
  });
  return {
    chart,
    series,
    ranges: {
      categories: columnRange(plan.name, 0, plan.firstRow, lastRow),
      series: columns.map((index) => ({
        name: columnRange(plan.name, index, plan.headerRow, plan.headerRow),
        values: columnRange(plan.name, index, plan.firstRow, lastRow),
      })),
    },
    categoryNumbers: numbers,
    columns,
    notes: [
      ...(rows < plan.cells.length
        ? [`The chart shows the first ${count(rows)} of ${count(plan.cells.length)} rows.`]
        : []),
      ...(columns.length < drawn.length
        ? [`The chart shows the first ${count(columns.length)} of ${count(drawn.length)} numeric columns.`]
        : []),
    ],
  };

  function joinedHeaders(indices: readonly number[]): string {
    const text = indices.map((index) => columnHeader(plan, index)).join(', ');
    return indices.length > 3 || text.length > 60 ? '' : text;
  }
}

export function columnHeader(plan: SheetPlan, index: number): string {
  return plan.columns[index]?.header || columnName(index);
}

function numberOrNull(value: CellValue | undefined): number | null {
  return typeof value === 'number' ? value : null;
}

/** The text of a category as the sheet shows it. */
function categoryLabel(value: CellValue, column: ColumnPlan | undefined): string {
  if (typeof value === 'number') return displayedValue(value, column?.formatCode ?? 'General');
  if (typeof value === 'boolean') return value ? 'TRUE' : 'FALSE';
  return value ?? '';
}

function categoryNumbers(
  values: readonly CellValue[],
  column: ColumnPlan | undefined,
): CategoryNumbers | undefined {
  const filled = values.filter((value) => value !== null);
  if (column === undefined || filled.length === 0 || filled.some((value) => typeof value !== 'number')) {
    return undefined;
  }
  return { values: values.map(numberOrNull), formatCode: column.formatCode };
}

function categoriesMax(type: ChartType, seriesCount: number): number {
  if (type === 'line' || type === 'area' || type === 'pie' || type === 'doughnut') return Infinity;
  return Math.max(25, Math.min(columnCategoriesMax, Math.floor(columnsDrawnMax / seriesCount)));
}

/**
 * Returns the columns of a combo that are lines: those of the first other unit than the first column's, or the last
 * column where all have one unit. A third unit goes where its numbers are of the same size.
 */
function lineColumns(plan: SheetPlan, columns: readonly number[]): readonly number[] {
  const [first = 0] = columns;
  const second = columns.find((index) => unitOf(plan, index) !== unitOf(plan, first));
  if (second === undefined) return columns.slice(1).slice(-1);
  const size = (index: number) =>
    Math.log(plan.cells.reduce((most, row) => Math.max(most, Math.abs(numberOrNull(row[index]) ?? 0)), 1e-9));
  return columns.filter((index) => {
    const unit = unitOf(plan, index);
    if (unit === unitOf(plan, first) || unit === unitOf(plan, second)) return unit === unitOf(plan, second);
    return Math.abs(size(index) - size(second)) < Math.abs(size(index) - size(first));
  });
}

/** Currencies, percentages and custom formats are units of their own; plain numbers share one. */
function unitOf(plan: SheetPlan, index: number): string {
  const column = plan.columns[index];
  const kind = column?.format?.kind;
  return kind === 'currency' || kind === 'percent' || kind === 'custom' ? (column?.formatCode ?? '') : '';
}

function chartTitle(title: string | undefined, names: readonly string[]): { title?: string } {
  const text = title ?? (names.length === 1 ? names[0] : undefined);
  return text === undefined ? {} : { title: text };
}

function axisTitle<Key extends string>(key: Key, text: string): { [key in Key]?: string } {
  return text === '' ? {} : ({ [key]: text } as { [key in Key]?: string });
}

function count(value: number): string {
  return value.toLocaleString('en-US');
}
