import type { SlideElement } from '../../domain/documents/deck-spec.ts';
import { transformXml } from './frame.ts';
import { lineXml } from './shape-element.ts';
import type { SlideContext } from './slide-context.ts';

export type LineElement = Extract<SlideElement, { type: 'line' }>;

/** A straight line as `p:cxnSp`, from its first point to its second: arrow heads keep their ends when it is flipped. */
export function lineElementXml(line: LineElement, ctx: SlideContext): string {
  const id = ctx.nextId();
  const box = {
    x: Math.min(line.x1, line.x2),
    y: Math.min(line.y1, line.y2),
    w: Math.abs(line.x2 - line.x1),
    h: Math.abs(line.y2 - line.y1),
  };
  const flips = `${line.x2 < line.x1 ? ' flipH="1"' : ''}${line.y2 < line.y1 ? ' flipV="1"' : ''}`;
  const ends =
    (line.beginArrow ? '<a:headEnd type="triangle"/>' : '') +
    (line.endArrow ? '<a:tailEnd type="triangle"/>' : '');
  return (
    `<p:cxnSp><p:nvCxnSpPr><p:cNvPr id="${id}" name="Line ${id}"/><p:cNvCxnSpPr/><p:nvPr/></p:nvCxnSpPr>` +
    `<p:spPr>${transformXml(box, { flips })}<a:prstGeom prst="line"><a:avLst/></a:prstGeom>${lineXml(line, ends)}</p:spPr></p:cxnSp>`
  );
}
