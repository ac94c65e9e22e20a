import type { LineStyle, SlideElement } from '../../domain/documents/deck-spec.ts';
import { colorOf, type Ink, solidFill, textInk } from './color.ts';
import { transformXml } from './frame.ts';
import { toLineWidth, usableFontSize } from './measures.ts';
import type { SlideContext } from './slide-context.ts';
import { textBodyXml } from './text-body.ts';
import { fitText } from './text-fit.ts';
import { splitParagraphs } from './text-lines.ts';
import { textRoom } from './text-room.ts';

export type ShapeElement = Extract<SlideElement, { type: 'shape' }>;

const fontSizeDefault = 16;

/** The fill of a shape whose spec names none. */
export const shapeInk: Ink = 'tx2';

/** A preset shape as `p:sp`, its text centred and shrunk into the geometry's text rectangle. */
export function shapeElementXml(element: ShapeElement, ctx: SlideContext): string {
  const id = ctx.nextId();
  const fill = element.fill ?? shapeInk;
  return (
    `<p:sp><p:nvSpPr><p:cNvPr id="${id}" name="${element.shape} ${id}"/><p:cNvSpPr/><p:nvPr/></p:nvSpPr>` +
    `<p:spPr>${transformXml(element)}<a:prstGeom prst="${element.shape}"><a:avLst/></a:prstGeom>` +
    `${solidFill(fill)}${element.line === undefined ? '<a:ln><a:noFill/></a:ln>' : lineXml(element.line)}</p:spPr>` +
    `${shapeText(element, fill, ctx)}</p:sp>`
  );
}

function shapeText(element: ShapeElement, fill: Ink, ctx: SlideContext): string {
  const [width, height] = textRoom[element.shape](element.w, element.h);
  const insets = { horizontal: Math.min(0.1, width * 0.05), vertical: Math.min(0.05, height * 0.05) };
  const paragraphs = splitParagraphs(element.text ?? '');
  const fit = fitText({
    paragraphs,
    fontSize: usableFontSize(element.fontSize, fontSizeDefault),
    bold: element.bold,
    fontFace: element.fontFace,
    paragraphGap: 0,
    indent: 0,
    width: width - 2 * insets.horizontal,
    height: height - 2 * insets.vertical,
  });
  if (!fit.fits && element.text !== undefined) ctx.warn('a text is too long for its shape');
  return textBodyXml({
    paragraphs,
    style: element,
    ink: element.color ?? textInk(colorOf(fill, ctx.palette), ctx.palette),
    indent: 0,
    paragraphGap: 0,
    insets,
    align: element.align ?? 'center',
    valign: element.valign ?? 'middle',
    fit,
    language: ctx.language,
  });
}

const dashes = { solid: 'solid', dash: 'dash', dot: 'sysDot' } as const;
const lineInk: Ink = 'accent1';
const lineWidthDefault = 1.5;

/** `a:ln` of a line's or an outline's style (ECMA-376 Part 1, 20.1.2.2.24); `ends` are its arrow heads. */
export function lineXml(line: LineStyle, ends = ''): string {
  return (
    `<a:ln w="${toLineWidth(line.width ?? lineWidthDefault)}">${solidFill(line.color ?? lineInk)}` +
    `<a:prstDash val="${dashes[line.dash ?? 'solid']}"/><a:round/>${ends}</a:ln>`
  );
}
