import type { SlideElement } from '../../domain/documents/deck-spec.ts';
import { readableInk, textInk } from './color.ts';
import { transformXml } from './frame.ts';
import { inchesPerPoint, usableFontSize } from './measures.ts';
import type { SlideContext } from './slide-context.ts';
import { type Insets, textBodyXml } from './text-body.ts';
import { fitText, naturalHeight, type TextToFit } from './text-fit.ts';
import { splitParagraphs } from './text-lines.ts';

export type TextElement = Extract<SlideElement, { type: 'text' }>;

/** Points, of a text whose spec says no size. */
export const fontSizeDefault = 18;
const insets: Insets = { horizontal: 0.1, vertical: 0.05 };

/**
 * A text box as `p:sp`; as the slide's title it is the layout's title placeholder, which outlines, screen readers
 * and slide lists name the slide by.
 */
export function textElementXml(element: TextElement, isTitle: boolean, ctx: SlideContext): string {
  const id = ctx.nextId();
  const text = textToFit(element, insets);
  // A line that only just misses its box needs the insets more than a smaller font.
  const flat = { ...insets, vertical: 0 };
  const roomy = fitText(text);
  const usesFlat = roomy.fontScale < 100 || roomy.fontSize < text.fontSize;
  const fit = usesFlat ? fitText(textToFit(element, flat)) : roomy;
  if (!fit.fits) ctx.warn('a text is too long for its box');
  const ground = ctx.groundUnder(element);
  const ink = element.color ?? textInk(ground, ctx.palette);
  const body = textBodyXml({
    paragraphs: text.paragraphs,
    style: element,
    ink,
    ...(element.bullet ? { bulletInk: readableInk(ground, ['accent1', 'bg1', ink], ctx.palette) } : {}),
    indent: text.indent,
    paragraphGap: text.paragraphGap,
    insets: usesFlat ? flat : insets,
    align: element.align,
    valign: element.valign ?? 'top',
    fit,
    language: ctx.language,
  });
  const name = isTitle ? `Title ${id}` : `Text ${id}`;
  const kind = isTitle
    ? '<p:cNvSpPr><a:spLocks noGrp="1"/></p:cNvSpPr><p:nvPr><p:ph type="title"/></p:nvPr>'
    : '<p:cNvSpPr txBox="1"/><p:nvPr/>';
  return (
    `<p:sp><p:nvSpPr><p:cNvPr id="${id}" name="${name}"/>${kind}</p:nvSpPr>` +
    `<p:spPr>${transformXml(element)}<a:prstGeom prst="rect"><a:avLst/></a:prstGeom><a:noFill/></p:spPr>${body}</p:sp>`
  );
}

/** The height that a text box of a given width needs at full size, inches. */
export function naturalTextHeight(element: TextElement): number {
  return naturalHeight(textToFit(element, insets)) + 2 * insets.vertical;
}

function textToFit(element: TextElement, room: Insets): TextToFit {
  const fontSize = usableFontSize(element.fontSize, fontSizeDefault);
  const lines = splitParagraphs(element.content);
  const bullets = lines.filter((line) => line.trim() !== '').map((line) => line.trim());
  return {
    paragraphs: element.bullet && bullets.length > 0 ? bullets : lines,
    fontSize,
    bold: element.bold,
    fontFace: element.fontFace,
    paragraphGap: element.bullet ? fontSize * 0.35 : 0,
    indent: element.bullet ? Math.max(0.2, fontSize * inchesPerPoint) : 0,
    width: element.w - 2 * room.horizontal,
    height: element.h - 2 * room.vertical,
  };
}
