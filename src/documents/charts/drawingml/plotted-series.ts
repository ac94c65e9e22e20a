import type { Chart, ChartDataset } from '../../../domain/documents/common.ts';
import type { Palette } from '../../palettes.ts';
import { seriesColor } from '../series-colors.ts';
import type { PlottedSeries } from './series.ts';
import { waterfallSeries } from './waterfall.ts';

/**
 * Returns what is drawn for a chart, in the order in which ranges and an embedded workbook must list it:
 * the datasets themselves, the first one only for pie and doughnut, and for a waterfall the first one's
 * invisible base, increases, decreases and totals.
 */
export function plottedSeries(chart: Chart, palette: Palette): PlottedSeries[] {
  const first = chart.datasets[0];
  switch (chart.type) {
    case 'pie':
    case 'doughnut':
      return first === undefined ? [] : [plotted(first, 0, palette, 'pie', 'first')];
    case 'waterfall':
      return first === undefined ? [] : waterfallSeries(first.data, chart.options.totals ?? [], palette);
    case 'combo':
      return comboSeries(chart.datasets, palette);
    default: {
      const draw = chart.type === 'stacked' ? 'bar' : chart.type;
      return chart.datasets.map((dataset, index) => plotted(dataset, index, palette, draw, 'first'));
    }
  }
}

/** Where no dataset says how it is drawn, the last one is the line. Lines alone share the first axis. */
function comboSeries(datasets: readonly ChartDataset[], palette: Palette): PlottedSeries[] {
  const named = datasets.some(({ type }) => type !== undefined);
  const draws = datasets.map(({ type }, index) => {
    if (named) return type ?? 'bar';
    return index > 0 && index === datasets.length - 1 ? 'line' : 'bar';
  });
  const mixed = draws.some((draw) => draw !== 'line');
  return datasets.map((dataset, index) => {
    const draw = draws[index] ?? 'bar';
    return plotted(dataset, index, palette, draw, draw === 'line' && mixed ? 'second' : 'first');
  });
}

function plotted(
  dataset: ChartDataset,
  index: number,
  palette: Palette,
  draw: PlottedSeries['draw'],
  axis: PlottedSeries['axis'],
): PlottedSeries {
  return {
    label: dataset.label,
    values: dataset.data,
    draw,
    axis,
    color: dataset.color ?? seriesColor(palette, index),
    inLegend: true,
  };
}
