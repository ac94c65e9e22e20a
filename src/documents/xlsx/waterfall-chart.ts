import {
  type WaterfallStep,
  waterfallLabels,
  waterfallSeries,
  waterfallSteps,
} from '../charts/drawingml/waterfall.ts';
import type { Palette } from '../palettes.ts';
import { type ChartData, columnHeader } from './chart-data.ts';
import {
  linkedCells,
  type TableCell,
  type TabledChart,
  type TablePlace,
  tableRanges,
  valueFormat,
} from './chart-table.ts';
import type { SheetPlan } from './sheet-plan.ts';

const totalLabel = /\b(total|net|sum|balance|result|ending|closing)\b/i;
const firstSeriesColumn = 3;

/**
 * Returns the waterfall of a column with the table of its steps: changes are linked to the data, levels and heights
 * are formulas, so that an edited cell moves the chart.
 *
 * A row that is called a total and equals the level so far is drawn as one. A chart that does not end on such a row
 * gets a total at its end.
 */
export function waterfallChart(
  data: ChartData,
  plan: SheetPlan,
  palette: Palette,
  place: TablePlace,
): TabledChart {
  const changes = data.chart.datasets[0]?.data ?? [];
  const stated = statedTotals(changes, data.chart.labels);
  const complete = stated.at(-1) === changes.length - 1;
  const values = complete ? changes : [...changes, null];
  const labels = complete ? data.chart.labels : [...data.chart.labels, waterfallLabels.total];
  const totals = complete ? stated : [...stated, changes.length];
  const format = data.series[0]?.format;
  const series = waterfallSeries(values, totals, palette, { belowZero: true }).map((one) =>
    format === undefined ? one : { ...one, format },
  );
  const steps = waterfallSteps(values, totals);
  const formatCode = valueFormat(data, plan);
  let level = 0;
  const rows = steps.map((step, index) => {
    const row = place.headerRow + 1 + index;
    const value = values[index] ?? null;
    level = step.kind === 'total' ? (value ?? level) : Number((level + (value ?? 0)).toPrecision(12));
    const linked: readonly TableCell[] =
      index < changes.length
        ? linkedCells(data, plan, index)
        : [
            { value: waterfallLabels.total, formatCode: 'General' },
            { value: null, formatCode },
          ];
    const before = index === 0 ? '0' : `C${row - 1}`;
    return [
      ...linked,
      ...stepCells(step, { row, before, level, linked: index < changes.length, formatCode }),
    ];
  });
  const headers = [
    columnHeader(plan, 0),
    data.chart.datasets[0]?.label ?? '',
    'Level',
    ...Object.values(waterfallLabels),
  ];
  return {
    ...data,
    chart: { ...data.chart, labels, options: { ...data.chart.options, totals } },
    series,
    categoryNumbers: undefined,
    ranges: tableRanges(place, rows.length, firstSeriesColumn, series.length),
    table: { headers, rows },
  };
}

/** Level, base, increase, decrease, total, and the parts below zero: columns C to I, after category and change. */
function stepCells(
  step: WaterfallStep,
  at: { row: number; before: string; level: number; linked: boolean; formatCode: string },
): TableCell[] {
  const { row, before, level, formatCode } = at;
  const cell = (formula: string, value: number): TableCell => ({ formula, value, formatCode });
  const height = (formula: string, value: number): TableCell => ({
    ...cell(formula, value),
    formatCode: withoutZero(formatCode),
  });
  const blank: TableCell = { value: null, formatCode };
  if (step.kind === 'total') {
    return [
      cell(at.linked ? `B${row}` : before, level),
      blank,
      blank,
      blank,
      cell(`C${row}`, level),
      blank,
      blank,
    ];
  }
  const up = step.kind === 'increase' ? step : { above: 0, below: 0 };
  const down = step.kind === 'decrease' ? step : { above: 0, below: 0 };
  return [
    cell(`${before}+B${row}`, level),
    height(`MAX(0,MIN(${before},C${row}))+MIN(0,MAX(${before},C${row}))`, step.base),
    height(`IF(B${row}>=0,MAX(0,C${row})-MAX(0,${before}),0)`, up.above),
    height(`IF(B${row}<0,MAX(0,${before})-MAX(0,C${row}),0)`, down.above),
    blank,
    height(`IF(B${row}>=0,MIN(0,${before})-MIN(0,C${row}),0)`, up.below),
    height(`IF(B${row}<0,MIN(0,C${row})-MIN(0,${before}),0)`, down.below),
  ];
}

/** Returns a code that shows nothing for zero. */
function withoutZero(code: string): string {
  const [positive = '', negative = `\\-${positive}`] = code.split(';');
  return `${positive};${negative};`;
}

/** The rows that say they are totals and are: their value is the level that the changes before them reach. */
function statedTotals(changes: readonly (number | null)[], labels: readonly string[]): number[] {
  const totals: number[] = [];
  let level = 0;
  for (const [index, value] of changes.entries()) {
    const reached = Math.abs((value ?? 0) - level) <= Math.abs(level) * 1e-9;
    if (index > 0 && value !== null && reached && totalLabel.test(labels[index] ?? '')) totals.push(index);
    else level += value ?? 0;
  }
  return totals;
}
