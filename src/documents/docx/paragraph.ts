import type { Align } from '../../domain/documents/common.ts';

export interface ParagraphOptions {
  /** Id of a paragraph style; absent: Normal. */
  readonly style?: string;
  readonly keepNext?: boolean;
  readonly numberingId?: number;
  readonly rightToLeft?: boolean;
  /** Where the text stands on the page, whatever its direction. */
  readonly align?: Align;
}

/** Writes a paragraph around runs. Properties stand in the order of CT_PPr (ECMA-376 Part 1, 17.3.1.26). */
export function paragraphXml(runs: string, options: ParagraphOptions = {}): string {
  return `<w:p>${paragraphPropertiesXml(options)}${runs}</w:p>`;
}

export function paragraphPropertiesXml(options: ParagraphOptions): string {
  let properties = options.style === undefined ? '' : `<w:pStyle w:val="${options.style}"/>`;
  if (options.keepNext === true) properties += '<w:keepNext/>';
  if (options.numberingId !== undefined) {
    properties += `<w:numPr><w:ilvl w:val="0"/><w:numId w:val="${options.numberingId}"/></w:numPr>`;
  }
  if (options.rightToLeft === true) properties += '<w:bidi/>';
  if (options.align !== undefined) {
    properties += `<w:jc w:val="${justification(options.align, options.rightToLeft === true)}"/>`;
  }
  return properties === '' ? '' : `<w:pPr>${properties}</w:pPr>`;
}

/** In a right-to-left paragraph Word takes `left` for the leading edge, which is the right one. */
function justification(align: Align, rightToLeft: boolean): Align {
  if (!rightToLeft || align === 'center') return align;
  return align === 'left' ? 'right' : 'left';
}
