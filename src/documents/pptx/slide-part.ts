import type { Box } from '../../domain/documents/deck-spec.ts';
import { escapeXml, xmlDeclaration } from '../ooxml/xml.ts';
import { backgroundXml } from './background.ts';
import { chartElementXml } from './chart-element.ts';
import { type Ink, readableInk, solidFill } from './color.ts';
import { transformXml } from './frame.ts';
import { lineElementXml } from './line-element.ts';
import { shapeTree, slideNumberBox, slideNumberField, slideNumberPlaceholder } from './master-shapes.ts';
import { imageElementXml } from './picture-element.ts';
import type { PlannedElement, PlannedSlide } from './plan-slides.ts';
import { shapeElementXml } from './shape-element.ts';
import type { SlideContext } from './slide-context.ts';
import { tablePageXml } from './table-element.ts';
import { textElementXml } from './text-element.ts';

const namespaces =
  'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" ' +
  'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships" ' +
  'xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main"';

/** The slide part, `p:sld` (ECMA-376 Part 1, 19.3.1.38). `contextAt(n)` serves the element that has `n` below it. */
export function slidePart(
  slide: PlannedSlide,
  number: number,
  contextAt: (elementsBelow: number) => SlideContext,
): string {
  const shapes = slide.elements.map((element, index) =>
    elementXml(element, index === slide.title, contextAt(index)),
  );
  const top = contextAt(slide.elements.length);
  if (slide.showPageNumber) shapes.push(slideNumberXml(number, top));
  return (
    `${xmlDeclaration}<p:sld ${namespaces}><p:cSld>${backgroundXml(slide.background, top.relateImage)}` +
    `${shapeTree(shapes.join(''))}</p:cSld><p:clrMapOvr><a:masterClrMapping/></p:clrMapOvr></p:sld>`
  );
}

function elementXml(element: PlannedElement, isTitle: boolean, ctx: SlideContext): string {
  switch (element.type) {
    case 'text':
      return textElementXml(element, isTitle, ctx);
    case 'shape':
      return shapeElementXml(element, ctx);
    case 'image':
      return imageElementXml(element, ctx);
    case 'chart':
      return chartElementXml(element, ctx);
    case 'line':
      return lineElementXml(element, ctx);
    case 'tablePage':
      return tablePageXml(element.page, ctx);
  }
}

function slideNumberXml(number: number, ctx: SlideContext): string {
  const id = ctx.nextId();
  const box: Box = slideNumberBox;
  const inks: readonly Ink[] = [ctx.palette.muted, 'bg1', 'tx1'];
  const ink = readableInk(ctx.groundUnder(box), inks, ctx.palette);
  const properties = `<a:rPr lang="${escapeXml(ctx.language)}" sz="1000" dirty="0">${solidFill(ink)}</a:rPr>`;
  return (
    `<p:sp><p:nvSpPr><p:cNvPr id="${id}" name="Slide Number ${id}"/><p:cNvSpPr><a:spLocks noGrp="1"/></p:cNvSpPr>` +
    `<p:nvPr>${slideNumberPlaceholder}</p:nvPr></p:nvSpPr><p:spPr>${transformXml(box)}</p:spPr>` +
    '<p:txBody><a:bodyPr anchor="ctr"/><a:lstStyle/>' +
    `<a:p><a:pPr algn="r"/>${slideNumberField(String(number), properties)}</a:p></p:txBody></p:sp>`
  );
}
