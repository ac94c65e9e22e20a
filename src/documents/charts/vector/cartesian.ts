import { scaleBand } from 'd3-scale';
import type { Chart } from '../../../domain/documents/common.ts';
import type { Palette } from '../../palettes.ts';
import { drawCategories, firstLabelReach, measureCategories } from './category-axis.ts';
import { drawMarks, writesAtBars } from './draw-marks.ts';
import { placeLegend } from './legend.ts';
import { type Plot, plotOf } from './plotted.ts';
import { type Box, type ChartSurface, fitLabel } from './surface.ts';
import { type ValueAxes, type ValueAxis, valueAxis } from './value-axis.ts';

const labelSize = 8.5;
const axisTitleSize = 8.5;
const axisTitleHeight = 15;
const tickGap = 7;

/** Draws a chart with axes. Gives false when it has no value to draw. */
export function drawCartesian(surface: ChartSurface, chart: Chart, box: Box, palette: Palette): boolean {
  const plot = plotOf(chart, palette);
  const hasValues =
    plot.bars.length > 0 || plot.curves.some((curve) => curve.values.some((value) => value !== null));
  if (!hasValues || chart.labels.length === 0) return false;
  const { options } = chart;

  let rest = box;
  if (options.legend ?? plot.legend.length > 1) {
    const position = options.legendPosition ?? 'bottom';
    const legend = placeLegend(surface, plot.legend, position, rest, palette.text);
    legend.draw();
    rest = legend.rest;
  }
  const tickCount = Math.max(2, Math.min(6, Math.floor(rest.height / 34)));
  const axes = valueAxes(plot, tickCount, chart);
  const frame = frameOf(surface, chart, rest, axes);
  axes.first.scale.range([frame.y + frame.height, frame.y]);
  axes.second?.scale.range([frame.y + frame.height, frame.y]);

  drawGrid(surface, axes.first, frame, palette);
  if (axes.second !== undefined) drawSecondAxis(surface, axes.second, frame, palette);
  const bands = scaleBand<number>()
    .domain(chart.labels.map((_, index) => index))
    .range([frame.x, frame.x + frame.width])
    .paddingInner(plot.bars.length > 0 ? 0.28 : 0)
    .paddingOuter(plot.bars.length > 0 ? 0.16 : 0);
  const centerOf = (index: number) => (bands(index) ?? frame.x) + bands.bandwidth() / 2;
  drawMarks(surface, plot, { bands, axes, chart, palette, frame });
  drawBaseline(surface, axes.first, frame, palette);
  const categories = measureCategories(surface, chart.labels, bands.step(), centerOf(0) - rest.x);
  drawCategories(surface, categories, centerOf, frame.y + frame.height, palette.muted);
  drawAxisTitles(surface, chart, rest, frame, palette, categories.height);
  return true;
}

function valueAxes(plot: Plot, tickCount: number, chart: Chart): ValueAxes {
  const first: number[] = [];
  const second: number[] = [];
  for (const { from, to } of plot.bars) first.push(from, to);
  for (const { values, isSecondary } of plot.curves) {
    for (const value of values) if (value !== null) (isSecondary ? second : first).push(value);
  }
  if (writesAtBars(plot, chart.options.dataLabels)) {
    // Room for what is written beyond the ends of the bars.
    const high = first.reduce((most, value) => Math.max(most, value), 0);
    const low = first.reduce((least, value) => Math.min(least, value), 0);
    const room = (high - low) * 0.06;
    if (high > 0) first.push(high + room);
    if (low < 0) first.push(low - room);
  }
  const stands = plot.bars.length > 0 || plot.curves.some(({ isArea }) => isArea);
  const format = chart.options.numberFormat;
  return {
    first: valueAxis(first, stands, tickCount, format),
    ...(second.length === 0 ? {} : { second: valueAxis(second, false, tickCount, format) }),
  };
}

/** The box of the marks: what the axes' labels and titles leave. */
function frameOf(surface: ChartSurface, chart: Chart, box: Box, axes: ValueAxes): Box {
  const { options } = chart;
  const widest = (axis: ValueAxis) =>
    axis.labels.reduce((most, label) => Math.max(most, surface.measure(label, labelSize)), 0) + tickGap;
  let left = widest(axes.first) + (options.yAxisTitle === undefined ? 0 : axisTitleHeight);
  const right =
    axes.second === undefined
      ? 4
      : widest(axes.second) + (options.secondaryAxisTitle === undefined ? 0 : axisTitleHeight);
  const bandOf = () => Math.max(20, box.width - left - right) / chart.labels.length;
  const measured = () => measureCategories(surface, chart.labels, bandOf(), left + bandOf() / 2);
  let categories = measured();
  if (categories.isTurned) {
    // The label ends under the middle of the first band, whose width depends on `left`.
    const halfBand = 1 / (2 * chart.labels.length);
    const reach = firstLabelReach(surface, chart.labels) + 1;
    left = Math.max(left, (reach - (box.width - right) * halfBand) / (1 - halfBand));
    categories = measured();
  }
  const width = Math.max(20, box.width - left - right);
  const below = categories.height + (options.xAxisTitle === undefined ? 2 : axisTitleHeight + 2);
  const top = 12;
  return { x: box.x + left, y: box.y + top, width, height: Math.max(20, box.height - below - top) };
}

function drawGrid(surface: ChartSurface, axis: ValueAxis, frame: Box, palette: Palette): void {
  surface.path(
    (path) => {
      for (const tick of axis.ticks) {
        path.moveTo(frame.x, axis.scale(tick));
        path.lineTo(frame.x + frame.width, axis.scale(tick));
      }
    },
    { stroke: palette.border, width: 0.5 },
  );
  axis.ticks.forEach((tick, index) => {
    surface.text(axis.labels[index] ?? '', frame.x - tickGap + 1, axis.scale(tick), {
      size: labelSize,
      color: palette.muted,
      anchor: 'end',
    });
  });
}

function drawSecondAxis(surface: ChartSurface, axis: ValueAxis, frame: Box, palette: Palette): void {
  axis.ticks.forEach((tick, index) => {
    surface.text(axis.labels[index] ?? '', frame.x + frame.width + tickGap - 1, axis.scale(tick), {
      size: labelSize,
      color: palette.muted,
    });
  });
}

/** The line on which bars stand: at zero where zero is in sight, else at the bottom. */
function drawBaseline(surface: ChartSurface, axis: ValueAxis, frame: Box, palette: Palette): void {
  const [low = 0, high = 0] = axis.scale.domain();
  const y = low <= 0 && high >= 0 ? axis.scale(0) : frame.y + frame.height;
  surface.path(
    (path) => {
      path.moveTo(frame.x, y);
      path.lineTo(frame.x + frame.width, y);
    },
    { stroke: palette.muted, width: 0.9 },
  );
}

function drawAxisTitles(
  surface: ChartSurface,
  chart: Chart,
  box: Box,
  frame: Box,
  palette: Palette,
  categoriesHeight: number,
): void {
  const { xAxisTitle, yAxisTitle, secondaryAxisTitle } = chart.options;
  const label = { size: axisTitleSize, color: palette.text, anchor: 'middle' as const };
  const middle = frame.y + frame.height / 2;
  if (xAxisTitle !== undefined) {
    const text = fitLabel(surface, xAxisTitle, frame.width, axisTitleSize);
    surface.text(text, frame.x + frame.width / 2, frame.y + frame.height + categoriesHeight + 7, label);
  }
  if (yAxisTitle !== undefined) {
    const text = fitLabel(surface, yAxisTitle, frame.height, axisTitleSize);
    surface.text(text, box.x + 5, middle, { ...label, rotation: 90 });
  }
  if (secondaryAxisTitle !== undefined) {
    const text = fitLabel(surface, secondaryAxisTitle, frame.height, axisTitleSize);
    surface.text(text, box.x + box.width - 5, middle, { ...label, rotation: 90 });
  }
}
