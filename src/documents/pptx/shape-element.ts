import type { LineStyle, ShapeName, SlideElement } from '../../domain/documents/deck-spec.ts';
import { colorOf, type Ink, solidFill, textInk } from './color.ts';
import { transformXml } from './frame.ts';
import { toLineWidth } from './measures.ts';
import type { SlideContext } from './slide-context.ts';
import { textBodyXml } from './text-body.ts';
import { fitText } from './text-fit.ts';
import { splitParagraphs } from './text-lines.ts';

export type ShapeElement = Extract<SlideElement, { type: 'shape' }>;

const fontSizeDefault = 16;

/** The fill of a shape whose spec names none. */
export const shapeInk: Ink = 'tx2';

/**
 * The share of a shape's box that its text may use, [width, height]: the text rectangles of the preset geometries
 * at their default adjustments (ECMA-376 Part 1, annex D, presetShapeDefinitions.xml).
 */
const textRoom: Readonly<Record<ShapeName, readonly [number, number]>> = {
  rect: [1, 1],
  roundRect: [0.94, 0.94],
  ellipse: [0.7, 0.7],
  triangle: [0.5, 0.5],
  rtTriangle: [0.5, 0.33],
  diamond: [0.5, 0.5],
  parallelogram: [0.62, 0.62],
  trapezoid: [0.7, 0.7],
  pentagon: [0.62, 0.72],
  hexagon: [0.72, 0.72],
  octagon: [0.82, 0.82],
  star5: [0.38, 0.38],
  rightArrow: [0.85, 0.5],
  leftArrow: [0.85, 0.5],
  upArrow: [0.5, 0.85],
  downArrow: [0.5, 0.85],
  chevron: [0.55, 1],
  homePlate: [0.75, 1],
  cloud: [0.66, 0.66],
  heart: [0.64, 0.4],
  plus: [0.5, 0.5],
  wedgeRectCallout: [1, 1],
};

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
  const [widthShare, heightShare] = textRoom[element.shape];
  const insets = { horizontal: Math.min(0.1, element.w * 0.05), vertical: Math.min(0.05, element.h * 0.05) };
  const paragraphs = splitParagraphs(element.text ?? '');
  const fit = fitText({
    paragraphs,
    fontSize: element.fontSize ?? fontSizeDefault,
    bold: element.bold,
    fontFace: element.fontFace,
    paragraphGap: 0,
    indent: 0,
    width: element.w * widthShare - 2 * insets.horizontal,
    height: element.h * heightShare - 2 * insets.vertical,
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
