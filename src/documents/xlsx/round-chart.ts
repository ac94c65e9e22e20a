import { columnRange } from '../ooxml/cell-reference.ts';
import type { Palette } from '../palettes.ts';
import { type ChartData, columnHeader } from './chart-data.ts';
import { linkedCells, type TabledChart, type TablePlace, tableRanges, valueFormat } from './chart-table.ts';
import type { SheetPlan } from './sheet-plan.ts';

const slicesMax = 12;

/**
 * Returns a pie or doughnut of at most 12 slices. Of more rows than that, the 11 largest stand in a table of links
 * to the data, together with the sum of all the others.
 */
export function roundChart(
  data: ChartData,
  plan: SheetPlan,
  palette: Palette,
  place: TablePlace,
): ChartData | TabledChart {
  const values = data.chart.datasets[0]?.data ?? [];
  if (values.length <= slicesMax) return data;
  const kept = values
    .map((value, index) => ({ value: value ?? 0, index }))
    .sort((a, b) => Math.abs(b.value) - Math.abs(a.value) || a.index - b.index)
    .slice(0, slicesMax - 1);
  const sum = (numbers: readonly (number | null)[]) =>
    numbers.reduce<number>((total, value) => total + (value ?? 0), 0);
  const rest = Number((sum(values) - sum(kept.map(({ value }) => value))).toPrecision(12));
  const restLabel = `Other (${(values.length - kept.length).toLocaleString('en-US')})`;
  const all = columnRange(plan.name, data.columns[0] ?? 1, plan.firstRow, plan.lastRow);
  const firstRow = place.headerRow + 1;
  const rows = [
    ...kept.map(({ index }) => linkedCells(data, plan, index)),
    [
      { value: restLabel, formatCode: 'General' },
      {
        formula: `SUM(${all})-SUM(B${firstRow}:B${firstRow + kept.length - 1})`,
        value: rest,
        formatCode: valueFormat(data, plan),
      },
    ],
  ];
  return {
    ...data,
    chart: { ...data.chart, labels: [...kept.map(({ index }) => data.chart.labels[index] ?? ''), restLabel] },
    series: data.series.map((one) => ({
      ...one,
      values: [...kept.map(({ value }) => value), rest],
      sliceColors: [...kept.map(() => undefined), palette.border],
    })),
    categoryNumbers: undefined,
    ranges: tableRanges(place, rows.length, 1, 1),
    notes: [
      ...data.notes,
      `The chart shows the ${kept.length} largest of ${values.length.toLocaleString('en-US')} rows, and the others as one.`,
    ],
    table: { headers: [columnHeader(plan, 0), data.chart.datasets[0]?.label ?? ''], rows },
  };
}
