import type { Chart } from '../../../domain/documents/common.ts';
import { describeChart } from '../../charts/vector/describe-chart.ts';
import { drawChart, hasValues } from '../../charts/vector/draw-chart.ts';
import { chartSurface } from '../chart-surface.ts';
import { boundingBox } from '../draw-image.ts';
import type { Block, ReportContext } from '../report-context.ts';
import { addElement } from '../structure-tree.ts';
import { theme } from '../theme.ts';

/** A chart over the whole width, as a figure whose alternative text says what it shows. */
export function chartBlock(context: ReportContext, chart: Chart): Block {
  const { height: fullHeight, heightMin, heightEmpty, gapBefore, gapAfter } = theme.chart;
  const least = hasValues(chart) ? heightMin : heightEmpty;
  return {
    gapBefore,
    keepsWithNext: false,
    headHeight: () => least,
    draw(parent) {
      const { flow, palette, typesetter } = context;
      flow.ensure(least);
      // Rather a little lower than on the next page with a gap left behind.
      const height = hasValues(chart) ? Math.min(fullHeight, flow.room()) : heightEmpty;
      const box = { x: flow.left, y: flow.y, width: flow.width, height };
      const figure = addElement(parent, 'Figure', {
        alt: describeChart(chart),
        attributes: boundingBox(box, flow.canvas.height),
      });
      flow.canvas.tag(figure, () => drawChart(chartSurface(flow.canvas, typesetter), chart, box, palette));
      flow.y += height + gapAfter;
    },
  };
}
