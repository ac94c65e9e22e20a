import type { Chart, Color } from '../../../domain/documents/common.ts';
import type { Palette } from '../../palettes.ts';
import { plottedSeries } from '../drawingml/plotted-series.ts';
import { waterfallLabels, waterfallSteps } from '../drawingml/waterfall.ts';
import type { LegendEntry } from './legend.ts';

/** A bar from one value to another, of one category and one place beside others of the category. */
export interface Bar {
  readonly category: number;
  /** Place among the bars of a category, from 0. */
  readonly slot: number;
  readonly from: number;
  readonly to: number;
  readonly color: Color;
  /** What a data label says; absent for the inner parts of a stack. */
  readonly value?: number;
}

/** A line, or the area under one; null is a gap. */
export interface Curve {
  readonly values: readonly (number | null)[];
  readonly color: Color;
  readonly isArea: boolean;
  readonly isSecondary: boolean;
}

/** A chart with axes as marks: what stands on the axes, in which colours, and what the legend says. */
export interface Plot {
  readonly bars: readonly Bar[];
  readonly slots: number;
  readonly curves: readonly Curve[];
  /** From the end of each waterfall step to the beginning of the next one. */
  readonly connectors: readonly { readonly category: number; readonly value: number }[];
  readonly legend: readonly LegendEntry[];
}

/** Turns a chart's datasets into marks. */
export function plotOf(chart: Chart, palette: Palette): Plot {
  if (chart.type === 'waterfall') return waterfallPlot(chart, palette);
  const series = plottedSeries(chart, palette).map((one) => ({ ...one, color: one.color ?? palette.accent }));
  const legend = series.map(({ label, color, draw }) => ({ label, color, isLine: draw === 'line' }));
  const columns = series.filter(({ draw }) => draw === 'bar');
  const bars =
    chart.type === 'stacked'
      ? stackedBars(columns)
      : columns.flatMap(({ values, color }, slot) =>
          values.flatMap((value, category) =>
            value === null ? [] : [{ category, slot, from: 0, to: value, color, value }],
          ),
        );
  const curves = series
    .filter(({ draw }) => draw !== 'bar')
    .map(({ values, color, draw, axis }) => ({
      values,
      color,
      isArea: draw === 'area',
      isSecondary: axis === 'second',
    }));
  return { bars, slots: chart.type === 'stacked' ? 1 : columns.length, curves, connectors: [], legend };
}

/** Positive parts pile up from zero and negative ones down. */
function stackedBars(
  series: readonly { readonly values: readonly (number | null)[]; readonly color: Color }[],
): Bar[] {
  const tops: number[] = [];
  const bottoms: number[] = [];
  return series.flatMap(({ values, color }) =>
    values.flatMap((value, category) => {
      if (value === null || value === 0) return [];
      const ends = value > 0 ? tops : bottoms;
      const from = ends[category] ?? 0;
      ends[category] = from + value;
      return [{ category, slot: 0, from, to: from + value, color }];
    }),
  );
}

function waterfallPlot(chart: Chart, palette: Palette): Plot {
  const data = chart.datasets[0]?.data ?? [];
  const steps = waterfallSteps(data, chart.options.totals ?? []);
  const colors = { increase: palette.positive, decrease: palette.negative, total: palette.primary };
  const bars: Bar[] = [];
  const connectors: { category: number; value: number }[] = [];
  const kinds = new Set<'increase' | 'decrease' | 'total'>();
  let level = 0;
  steps.forEach(({ kind, base, above, below }, category) => {
    if (kind === 'gap') return;
    kinds.add(kind);
    const low = base + below;
    const high = base + above;
    const isTotal = kind === 'total';
    const value = isTotal ? above + below : (data[category] ?? 0);
    const rises = isTotal ? high > 0 || low === 0 : kind === 'increase';
    level = isTotal ? value : level + value;
    bars.push({
      category,
      slot: 0,
      from: rises ? low : high,
      to: rises ? high : low,
      color: colors[kind],
      value,
    });
    connectors.push({ category, value: level });
  });
  const legend = (['increase', 'decrease', 'total'] as const)
    .filter((kind) => kinds.has(kind))
    .map((kind) => ({ label: waterfallLabels[kind], color: colors[kind] }));
  return { bars, slots: 1, curves: [], connectors: connectors.slice(0, -1), legend };
}
