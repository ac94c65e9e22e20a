import type { Color } from '../../../domain/documents/common.ts';
import { escapeXml } from '../../ooxml/xml.ts';

/** How text of a chart is set. */
export interface ChartText {
  readonly color: Color;
  /** Points. */
  readonly size: number;
  readonly bold?: boolean;
  /** Absent: the theme's body font. */
  readonly face?: string;
}

const emuPerPoint = 12_700;

/** Returns `a:solidFill`; `alpha` is the opacity, 0 to 1. */
export function solidFill(color: Color, alpha = 1): string {
  const opacity = alpha === 1 ? '' : `<a:alpha val="${Math.round(alpha * 100_000)}"/>`;
  return `<a:solidFill><a:srgbClr val="${color}">${opacity}</a:srgbClr></a:solidFill>`;
}

/** Returns `a:ln`, invisible without a colour; `width` in points. */
export function line(color: Color | undefined, width = 0.75): string {
  if (color === undefined) return '<a:ln><a:noFill/></a:ln>';
  return `<a:ln w="${Math.round(width * emuPerPoint)}" cap="rnd">${solidFill(color)}<a:round/></a:ln>`;
}

/** Returns `c:txPr`; `rotation` in degrees, clockwise. */
export function textProperties(text: ChartText, rotation?: number): string {
  return (
    `<c:txPr>${bodyProperties(rotation)}<a:lstStyle/><a:p><a:pPr>${runProperties('a:defRPr', text)}</a:pPr>` +
    '<a:endParaRPr lang="en-US"/></a:p></c:txPr>'
  );
}

/** Returns `c:title` with fixed text. */
export function titleXml(content: string, text: ChartText, rotation?: number): string {
  return (
    `<c:title><c:tx><c:rich>${bodyProperties(rotation)}<a:lstStyle/><a:p><a:pPr>${runProperties('a:defRPr', text)}` +
    `</a:pPr><a:r>${runProperties('a:rPr', text)}<a:t>${escapeXml(content)}</a:t></a:r></a:p></c:rich></c:tx>` +
    '<c:overlay val="0"/></c:title>'
  );
}

function bodyProperties(rotation: number | undefined): string {
  return rotation === undefined ? '<a:bodyPr/>' : `<a:bodyPr rot="${rotation * 60_000}" vert="horz"/>`;
}

function runProperties(tag: 'a:defRPr' | 'a:rPr', text: ChartText): string {
  const language = tag === 'a:rPr' ? ' lang="en-US"' : '';
  const face =
    text.face === undefined
      ? ''
      : `<a:latin typeface="${escapeXml(text.face)}"/><a:cs typeface="${escapeXml(text.face)}"/>`;
  return (
    `<${tag}${language} sz="${Math.round(text.size * 100)}" b="${text.bold === true ? 1 : 0}">` +
    `${solidFill(text.color)}${face}</${tag}>`
  );
}
