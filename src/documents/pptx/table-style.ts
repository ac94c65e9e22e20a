import { xmlDeclaration } from '../ooxml/xml.ts';
import type { Palette } from '../palettes.ts';
import { type Ink, solidFill } from './color.ts';

/** The id of the deck's own table style: PowerPoint bands the rows that someone adds later by it. */
export const tableStyleId = '{6E2C9A54-3B7D-4F18-9C61-0A5D7E83B2F4}';

/** Header cells without colours of their own: text on `tx2`, the palette's primary. */
export const headerFill: Ink = 'tx2';
export const headerInk: Ink = 'bg1';

/**
 * `ppt/tableStyles.xml` with one style: a filled bold header, banded rows, a fine rule under each row
 * (ECMA-376 Part 1, 20.1.4.2.26). Every row has a fill, so that a table reads on a slide of any colour.
 */
export function tableStylesPart(palette: Palette): string {
  const rule = (side: string, ink: Ink) => `<a:${side}><a:ln w="9525">${solidFill(ink)}</a:ln></a:${side}>`;
  const none = (side: string) => `<a:${side}><a:ln><a:noFill/></a:ln></a:${side}>`;
  const fill = (ink: Ink) => `<a:fill>${solidFill(ink)}</a:fill>`;
  const text = (ink: Ink, bold: boolean) =>
    `<a:tcTxStyle${bold ? ' b="on"' : ''}><a:fontRef idx="minor"><a:prstClr val="black"/></a:fontRef>` +
    `<a:schemeClr val="${ink}"/></a:tcTxStyle>`;
  return (
    `${xmlDeclaration}<a:tblStyleLst xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" def="${tableStyleId}">` +
    `<a:tblStyle styleId="${tableStyleId}" styleName="Deck table">` +
    `<a:wholeTbl>${text('tx1', false)}<a:tcStyle><a:tcBdr>${none('left')}${none('right')}` +
    `${rule('top', palette.border)}${rule('bottom', palette.border)}${rule('insideH', palette.border)}${none('insideV')}` +
    `</a:tcBdr>${fill('bg1')}</a:tcStyle></a:wholeTbl>` +
    `<a:band1H><a:tcStyle><a:tcBdr/>${fill('bg1')}</a:tcStyle></a:band1H>` +
    `<a:band2H><a:tcStyle><a:tcBdr/>${fill('bg2')}</a:tcStyle></a:band2H>` +
    `<a:firstRow>${text(headerInk, true)}<a:tcStyle><a:tcBdr/>${fill(headerFill)}</a:tcStyle></a:firstRow>` +
    '</a:tblStyle></a:tblStyleLst>'
  );
}
