import type { ScaleBand } from 'd3-scale';
import { area as d3area, line as d3line } from 'd3-shape';
import type { Chart, Color } from '../../../domain/documents/common.ts';
import type { Palette } from '../../palettes.ts';
import { numberLabels } from './number-labels.ts';
import type { Bar, Curve, Plot } from './plotted.ts';
import type { Box, ChartSurface, PathContext } from './surface.ts';
import type { ValueAxes, ValueAxis } from './value-axis.ts';

/** Where marks stand. */
export interface MarkFrame {
  readonly bands: ScaleBand<number>;
  readonly axes: ValueAxes;
  readonly chart: Chart;
  readonly palette: Palette;
  readonly frame: Box;
}

/** More points than this make a line of dots. */
const markersMax = 40;
const labelSize = 8;

/** Draws areas, then bars, then lines, then what is written at them. */
export function drawMarks(surface: ChartSurface, plot: Plot, frame: MarkFrame): void {
  for (const curve of plot.curves.filter(({ isArea }) => isArea)) drawArea(surface, curve, frame);
  drawBars(surface, plot, frame);
  drawConnectors(surface, plot, frame);
  for (const curve of plot.curves) drawLine(surface, curve, frame);
  drawDataLabels(surface, plot, frame);
}

/** d3-shape draws into anything that has a canvas's path methods; its types ask for the whole canvas. */
function asCanvas(path: PathContext): CanvasRenderingContext2D {
  return path as unknown as CanvasRenderingContext2D;
}

function barBox(bar: Bar, plot: Plot, { bands, axes }: MarkFrame): Box {
  const slotWidth = bands.bandwidth() / Math.max(1, plot.slots);
  // A lone category would be a wall: no bar is wider than this.
  const width = Math.min(slotWidth * (plot.slots > 1 ? 0.92 : 1), 64);
  const middle = (bands(bar.category) ?? 0) + bands.bandwidth() / 2;
  const group = Math.min(slotWidth, 64 / 0.92) * plot.slots;
  const slot = group / Math.max(1, plot.slots);
  const x = middle - group / 2 + slot * bar.slot + (slot - width) / 2;
  const [start, end] = [axes.first.scale(bar.from), axes.first.scale(bar.to)];
  return { x, y: Math.min(start, end), width, height: Math.abs(end - start) };
}

/** The bars of one colour are one path: a chart of 50 series and 1,000 categories stays small. */
function drawBars(surface: ChartSurface, plot: Plot, frame: MarkFrame): void {
  const byColor = new Map<Color, Bar[]>();
  for (const bar of plot.bars) {
    const bars = byColor.get(bar.color) ?? [];
    bars.push(bar);
    byColor.set(bar.color, bars);
  }
  for (const [color, bars] of byColor) {
    surface.path(
      (path) => {
        for (const bar of bars) {
          const { x, y, width, height } = barBox(bar, plot, frame);
          path.rect(x, y, width, height);
        }
      },
      { fill: color },
    );
  }
}

function drawConnectors(surface: ChartSurface, plot: Plot, frame: MarkFrame): void {
  const { bands, axes, palette } = frame;
  if (plot.connectors.length === 0) return;
  surface.path(
    (path) => {
      for (const { category, value } of plot.connectors) {
        const next = bands(category + 1);
        const start = bands(category);
        if (next === undefined || start === undefined) continue;
        const y = axes.first.scale(value);
        const width = Math.min(bands.bandwidth(), 64);
        const inset = (bands.bandwidth() - width) / 2;
        path.moveTo(start + inset + width, y);
        path.lineTo(next + inset, y);
      }
    },
    { stroke: palette.muted, width: 0.7, dash: [2, 2] },
  );
}

function axisOf(curve: Curve, { axes }: MarkFrame): ValueAxis {
  return curve.isSecondary && axes.second !== undefined ? axes.second : axes.first;
}

function pointsOf(curve: Curve, frame: MarkFrame): { readonly x: number; readonly y: number | null }[] {
  const { bands } = frame;
  const { scale } = axisOf(curve, frame);
  const half = bands.bandwidth() / 2;
  return curve.values.map((value, index) => ({
    x: (bands(index) ?? 0) + half,
    y: value === null ? null : scale(value),
  }));
}

function drawArea(surface: ChartSurface, curve: Curve, frame: MarkFrame): void {
  const { scale } = axisOf(curve, frame);
  const zero = scale(0);
  const shape = d3area<{ readonly x: number; readonly y: number | null }>()
    .defined(({ y }) => y !== null)
    .x(({ x }) => x)
    .y0(zero)
    .y1(({ y }) => y ?? zero);
  const points = pointsOf(curve, frame);
  surface.path(
    (path) => {
      shape.context(asCanvas(path))(points);
    },
    { fill: curve.color, opacity: 0.28 },
  );
}

function drawLine(surface: ChartSurface, curve: Curve, frame: MarkFrame): void {
  const points = pointsOf(curve, frame);
  const shape = d3line<{ readonly x: number; readonly y: number | null }>()
    .defined(({ y }) => y !== null)
    .x(({ x }) => x)
    .y(({ y }) => y ?? 0);
  surface.path(
    (path) => {
      shape.context(asCanvas(path))(points);
    },
    { stroke: curve.color, width: points.length > 200 ? 1 : 2 },
  );
  const isCrowded = points.length > markersMax;
  const marked = points.filter(({ y }, index) => {
    if (y === null) return false;
    const isAlone = (points[index - 1]?.y ?? null) === null && (points[index + 1]?.y ?? null) === null;
    return isAlone || !(isCrowded || curve.isArea);
  });
  if (marked.length === 0) return;
  surface.path(
    (path) => {
      for (const { x, y } of marked) {
        path.moveTo(x + 2.4, y ?? 0);
        path.arc(x, y ?? 0, 2.4, 0, 2 * Math.PI);
        path.closePath();
      }
    },
    { fill: 'FFFFFF', stroke: curve.color, width: 1.3 },
  );
}

const labelledBarsMax = 30;

/** Whether values are written at bars: where the caller asks, else at a single series of a few. */
export function writesAtBars(plot: Plot, wanted: boolean | undefined): boolean {
  const labelled = plot.bars.filter((bar) => bar.value !== undefined).length;
  if (labelled === 0 || wanted === false) return false;
  return wanted === true || (plot.slots <= 1 && plot.curves.length === 0 && labelled <= labelledBarsMax);
}

/** Writes values at bars and lines: where the caller asks, else at a single series whose values have the room. */
function drawDataLabels(surface: ChartSurface, plot: Plot, frame: MarkFrame): void {
  const { chart, palette, bands } = frame;
  const wanted = chart.options.dataLabels;
  if (wanted === false) return;
  const labelled = plot.bars.filter((bar) => bar.value !== undefined);
  const write = numberLabels(
    [
      ...labelled.map(({ value }) => value ?? 0),
      ...plot.curves.flatMap(({ values }) => values.filter((value) => value !== null)),
    ],
    chart.options.numberFormat,
  );
  const room = plot.slots > 0 ? bands.step() / plot.slots : bands.step();
  const fits = (value: number) => surface.measure(write(value), labelSize) <= room + 2;
  if (writesAtBars(plot, wanted) && (wanted === true || labelled.every(({ value }) => fits(value ?? 0)))) {
    for (const bar of labelled) {
      if (bar.value === undefined || !fits(bar.value)) continue;
      const { x, y, width, height } = barBox(bar, plot, frame);
      const isUp = bar.to >= bar.from;
      surface.text(write(bar.value), x + width / 2, isUp ? y - 6 : y + height + 6, {
        size: labelSize,
        color: palette.text,
        anchor: 'middle',
      });
    }
  }
  const isLoneLine = plot.bars.length === 0 && plot.curves.length === 1 && chart.labels.length <= 12;
  if (wanted !== true && !isLoneLine) return;
  for (const curve of plot.curves) {
    pointsOf(curve, frame).forEach(({ x, y }, index) => {
      const value = curve.values[index] ?? null;
      if (y === null || value === null || !fits(value)) return;
      surface.text(write(value), x, y - 8, { size: labelSize, color: palette.text, anchor: 'middle' });
    });
  }
}
