import { transformXml } from './frame.ts';
import { canvas, margin } from './measures.ts';

const emptyGroup =
  '<p:nvGrpSpPr><p:cNvPr id="1" name=""/><p:cNvGrpSpPr/><p:nvPr/></p:nvGrpSpPr><p:grpSpPr><a:xfrm>' +
  '<a:off x="0" y="0"/><a:ext cx="0" cy="0"/><a:chOff x="0" y="0"/><a:chExt cx="0" cy="0"/></a:xfrm></p:grpSpPr>';

/** `p:spTree` around shapes (ECMA-376 Part 1, 19.3.1.45). */
export function shapeTree(shapes: string): string {
  return `<p:spTree>${emptyGroup}${shapes}</p:spTree>`;
}

/** Where the slide number stands, inches. */
export const slideNumberBox = {
  x: canvas.width - margin - 1.5,
  y: canvas.height - 0.45,
  w: 1.5,
  h: 0.3,
} as const;

/** `p:nvPr` of the slide number, the same on master, layout and slide, so that each inherits from the one above. */
export const slideNumberPlaceholder = '<p:ph type="sldNum" sz="quarter" idx="12"/>';

/** The field that shows a slide's number; `text` stands until it is refreshed. */
export function slideNumberField(text: string, runProperties: string): string {
  return `<a:fld id="{B6F15528-21DE-4FAA-801E-634DDDAF4B2B}" type="slidenum">${runProperties}<a:t>${text}</a:t></a:fld>`;
}

const titleBox = { x: margin, y: 0.4, w: canvas.width - 2 * margin, h: 0.9 };
const bodyBox = { x: margin, y: 1.5, w: canvas.width - 2 * margin, h: 5.3 };

function placeholder(
  id: number,
  name: string,
  ph: string,
  body: string,
  box: typeof titleBox,
  anchor: string,
): string {
  return (
    `<p:sp><p:nvSpPr><p:cNvPr id="${id}" name="${name}"/><p:cNvSpPr><a:spLocks noGrp="1"/></p:cNvSpPr>` +
    `<p:nvPr>${ph}</p:nvPr></p:nvSpPr><p:spPr>${transformXml(box)}<a:prstGeom prst="rect"><a:avLst/></a:prstGeom></p:spPr>` +
    `<p:txBody><a:bodyPr vert="horz" lIns="91440" tIns="45720" rIns="91440" bIns="45720" rtlCol="0" anchor="${anchor}">` +
    `<a:normAutofit/></a:bodyPr>${body}</p:txBody></p:sp>`
  );
}

const prompt = (text: string) =>
  `<a:p><a:r><a:rPr lang="en-US"/><a:t>${text}</a:t></a:r><a:endParaRPr lang="en-US"/></a:p>`;
const title = placeholder(
  2,
  'Title 1',
  '<p:ph type="title"/>',
  `<a:lstStyle/>${prompt('Click to edit Master title style')}`,
  titleBox,
  'ctr',
);
const body = placeholder(
  3,
  'Text 2',
  '<p:ph type="body" idx="1"/>',
  `<a:lstStyle/>${prompt('Click to edit Master text styles')}`,
  bodyBox,
  't',
);
const slideNumber = placeholder(
  4,
  'Slide Number 3',
  slideNumberPlaceholder,
  '<a:lstStyle><a:lvl1pPr algn="r"><a:defRPr sz="1000"><a:solidFill><a:schemeClr val="tx1"/></a:solidFill></a:defRPr>' +
    `</a:lvl1pPr></a:lstStyle><a:p>${slideNumberField('‹#›', '<a:rPr lang="en-US"/>')}<a:endParaRPr lang="en-US"/></a:p>`,
  slideNumberBox,
  'ctr',
);

export const masterTree = shapeTree(title + body + slideNumber);
/** The shapes of a layout, above `below`. */
export function layoutTree(below = ''): string {
  return shapeTree(below + title + slideNumber);
}
