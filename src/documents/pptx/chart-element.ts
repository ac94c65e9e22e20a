import type { SlideElement } from '../../domain/documents/deck-spec.ts';
import { escapeXml } from '../ooxml/xml.ts';
import { transformXml } from './frame.ts';
import type { SlideContext } from './slide-context.ts';

export type ChartElement = Extract<SlideElement, { type: 'chart' }>;

/** A native chart's `p:graphicFrame` (ECMA-376 Part 1, 19.3.1.21), with a sentence on its data for screen readers. */
export function chartElementXml(element: ChartElement, ctx: SlideContext): string {
  const id = ctx.nextId();
  const { chart } = element;
  if (!chart.datasets.some(({ data }) => data.some((value) => value !== null)))
    ctx.warn('a chart has no data');
  const relationshipId = ctx.relateChart(chart, fontSizeFor(element));
  const series = chart.datasets.map(({ label }) => label).filter((label) => label !== '');
  const about = [chart.title ?? '', series.join(', ')].filter((part) => part !== '').join(': ');
  const alt = about === '' ? `${chart.type} chart` : `${chart.type} chart, ${about}`;
  return (
    `<p:graphicFrame><p:nvGraphicFramePr><p:cNvPr id="${id}" name="Chart ${id}" descr="${escapeXml(alt.slice(0, 250))}"/>` +
    '<p:cNvGraphicFramePr><a:graphicFrameLocks noGrp="1"/></p:cNvGraphicFramePr><p:nvPr/></p:nvGraphicFramePr>' +
    transformXml(element, { element: 'p:xfrm' }) +
    '<a:graphic><a:graphicData uri="http://schemas.openxmlformats.org/drawingml/2006/chart">' +
    `<c:chart xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart" r:id="${relationshipId}"/>` +
    '</a:graphicData></a:graphic></p:graphicFrame>'
  );
}

/** Points: labels that can be read from a distance and leave the plot most of the box. */
function fontSizeFor({ w, h }: ChartElement): number {
  const side = Math.min(w, h * 1.4);
  return side >= 5 ? 12 : side >= 3 ? 10 : 8;
}
