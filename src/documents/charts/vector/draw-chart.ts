import type { Chart, Color } from '../../../domain/documents/common.ts';
import { directionsOf } from '../../fonts/bidi.ts';
import type { Palette } from '../../palettes.ts';
import { drawCartesian } from './cartesian.ts';
import { drawPie } from './pie.ts';
import { type Box, type ChartSurface, fitLabel } from './surface.ts';

const titleSize = 11;
const titleHeight = 22;

/** Draws a chart of any type into a box: its title, then the plot with axes and legend, or that there is no data. */
export function drawChart(surface: ChartSurface, given: Chart, box: Box, palette: Palette): void {
  const chart = withoutTinyValues(given);
  let plot = box;
  const title = chart.title?.replace(/\s+/g, ' ').trim() ?? '';
  if (title !== '') {
    const text = fitLabel(surface, title, box.width * 0.92, titleSize);
    const isRightToLeft = directionsOf(text)?.base === 1;
    surface.text(text, isRightToLeft ? box.x + box.width : box.x, box.y + 8, {
      size: titleSize,
      color: palette.primary,
      bold: true,
      anchor: isRightToLeft ? 'end' : 'start',
    });
    plot = { ...box, y: box.y + titleHeight, height: box.height - titleHeight };
  }
  const isPie = chart.type === 'pie' || chart.type === 'doughnut';
  const drawn = isPie ? drawPie(surface, chart, plot, palette) : drawCartesian(surface, chart, plot, palette);
  if (!drawn) drawNoData(surface, plot, palette.border, palette.muted);
}

/** Values nearer to zero than this are zero on paper; steps and shares of them would be no numbers any more. */
const magnitudeMin = 1e-200;

function withoutTinyValues(chart: Chart): Chart {
  const plain = (value: number | null) => (value !== null && Math.abs(value) < magnitudeMin ? 0 : value);
  return { ...chart, datasets: chart.datasets.map((one) => ({ ...one, data: one.data.map(plain) })) };
}

/** Whether a chart has any value at all. */
export function hasValues(chart: Chart): boolean {
  return chart.labels.length > 0 && chart.datasets.some(({ data }) => data.some((value) => value !== null));
}

function drawNoData(surface: ChartSurface, box: Box, border: Color, text: Color): void {
  surface.path((path) => path.rect(box.x + 0.5, box.y + 0.5, box.width - 1, box.height - 1), {
    stroke: border,
    width: 1,
    dash: [4, 3],
  });
  surface.text('No data', box.x + box.width / 2, box.y + box.height / 2, {
    size: 10,
    color: text,
    anchor: 'middle',
  });
}
