import { arc as d3arc, pie as d3pie, type PieArcDatum } from 'd3-shape';
import type { Chart, Color } from '../../../domain/documents/common.ts';
import { readableOn } from '../../contrast.ts';
import type { Palette } from '../../palettes.ts';
import { seriesColor } from '../series-colors.ts';
import { type LegendPosition, placeLegend } from './legend.ts';
import { numberLabels } from './number-labels.ts';
import type { Box, ChartSurface } from './surface.ts';

interface Slice {
  readonly label: string;
  readonly value: number;
  readonly color: Color;
}

/** More slices than this are too thin to tell apart: the smallest are drawn as one. */
const slicesMax = 12;
const labelSize = 8.5;

/**
 * Draws the first dataset as a pie or a doughnut; values that are not above zero have no slice. Gives false when
 * nothing is left to draw.
 */
export function drawPie(surface: ChartSurface, chart: Chart, box: Box, palette: Palette): boolean {
  const slices = slicesOf(chart, palette);
  const total = slices.reduce((sum, { value }) => sum + value, 0);
  if (slices.length === 0 || !(total > 0) || !Number.isFinite(total)) return false;
  const write = numberLabels(
    slices.map(({ value }) => value),
    chart.options.numberFormat,
  );
  const share = (value: number) => `${Math.round((value / total) * 1000) / 10}%`;
  const showsValues = chart.options.dataLabels !== false;
  const entries = slices.map(({ label, value, color }) => ({
    label: showsValues ? `${label.slice(0, 60)}: ${write(value)} (${share(value)})` : label,
    color,
  }));
  const position: LegendPosition = chart.options.legendPosition ?? 'right';
  const legend =
    chart.options.legend === false ? undefined : placeLegend(surface, entries, position, box, palette.text);
  const plot = legend?.rest ?? box;
  legend?.draw();

  const radius = Math.max(10, Math.min(plot.width, plot.height) / 2 - 4);
  const inner = chart.type === 'doughnut' ? radius * 0.58 : 0;
  const center: readonly [number, number] = [plot.x + plot.width / 2, plot.y + plot.height / 2];
  const arcs = d3pie<Slice>()
    .sort(null)
    .value(({ value }) => value)(slices);
  const shape = d3arc<PieArcDatum<Slice>>().innerRadius(inner).outerRadius(radius);
  for (const datum of arcs) {
    const isWhole = arcs.length === 1;
    surface.path(
      (path) => {
        shape.context(path as unknown as CanvasRenderingContext2D)(datum);
      },
      { fill: datum.data.color, ...(isWhole ? {} : { stroke: 'FFFFFF', width: 1.2 }) },
      center,
    );
  }
  if (showsValues)
    drawShares(
      surface,
      arcs,
      center,
      (radius + inner) / 2 + (inner === 0 ? radius * 0.14 : 0),
      share,
      palette.text,
    );
  if (inner > 0 && showsValues) {
    const text = write(total);
    const size = Math.min(16, (inner * 1.5 * 16) / Math.max(surface.measure(text, 16, true), 1));
    surface.text(text, ...center, { size, color: palette.primary, bold: true, anchor: 'middle' });
  }
  return true;
}

function slicesOf(chart: Chart, palette: Palette): Slice[] {
  const data = chart.datasets[0]?.data ?? [];
  const slices = chart.labels.flatMap((label, index) => {
    const value = data[index] ?? null;
    return value !== null && value > 0 && Number.isFinite(value)
      ? [{ label, value, color: seriesColor(palette, index) }]
      : [];
  });
  if (slices.length <= slicesMax) return slices;
  const bySize = [...slices].sort((a, b) => b.value - a.value);
  const kept = new Set(bySize.slice(0, slicesMax - 1));
  const rest = bySize.slice(slicesMax - 1);
  const shown = slices
    .filter((slice) => kept.has(slice))
    .map((slice, index) => ({ ...slice, color: seriesColor(palette, index) }));
  const value = rest.reduce((sum, slice) => sum + slice.value, 0);
  return [...shown, { label: `+ ${rest.length}`, value, color: palette.muted }];
}

/** Writes shares onto slices that have the room. */
function drawShares(
  surface: ChartSurface,
  arcs: readonly PieArcDatum<Slice>[],
  [x, y]: readonly [number, number],
  radius: number,
  share: (value: number) => string,
  dark: Color,
): void {
  for (const { startAngle, endAngle, data } of arcs) {
    const text = share(data.value);
    const chord = 2 * radius * Math.sin(Math.min(Math.PI, endAngle - startAngle) / 2);
    if (chord < surface.measure(text, labelSize, true) + 4) continue;
    const angle = arcs.length === 1 ? 0 : (startAngle + endAngle) / 2;
    surface.text(text, x + radius * Math.sin(angle), y - radius * Math.cos(angle), {
      size: labelSize,
      color: readableOn(data.color, dark),
      bold: true,
      anchor: 'middle',
    });
  }
}
