import { type InlineRun, parseInline } from '../markdown.ts';
import { escapeXml } from '../ooxml/xml.ts';
import { directedText } from './direction.ts';

export interface RunLook {
  /** Id of a character style. */
  readonly style?: string;
  readonly bold?: boolean;
  readonly italic?: boolean;
}

/** Gives the relationship id of a hyperlink's address. */
export type LinkId = (href: string) => string;

const breaks = /(\t|\r\n|[\n\r\u0085\u2028\u2029])/;

/** Writes text as runs of one look, one for each direction; tabs and line breaks become elements (17.3.3 of ECMA-376 Part 1). */
export function runsXml(text: string, paragraphRightToLeft: boolean, look: RunLook = {}): string {
  let xml = '';
  for (const piece of directedText(text, paragraphRightToLeft)) {
    xml += `<w:r>${runPropertiesXml(look, piece.rightToLeft)}${textXml(piece.text)}</w:r>`;
  }
  return xml;
}

/** Writes text of the Markdown subset as runs and hyperlinks. */
export function markdownRunsXml(text: string, paragraphRightToLeft: boolean, linkId: LinkId): string {
  let xml = '';
  let openLink: string | undefined;
  for (const run of parseInline(text)) {
    if (run.href !== openLink) {
      if (openLink !== undefined) xml += '</w:hyperlink>';
      if (run.href !== undefined) xml += `<w:hyperlink w:history="1" r:id="${linkId(run.href)}">`;
      openLink = run.href;
    }
    xml += runsXml(run.text, paragraphRightToLeft, lookOf(run));
  }
  return openLink === undefined ? xml : `${xml}</w:hyperlink>`;
}

function lookOf(run: InlineRun): RunLook {
  const style = run.href !== undefined ? 'Hyperlink' : run.code ? 'Code' : undefined;
  return { bold: run.bold, italic: run.italic, ...(style === undefined ? {} : { style }) };
}

function runPropertiesXml(look: RunLook, rightToLeft: boolean): string {
  const style = look.style === undefined ? '' : `<w:rStyle w:val="${look.style}"/>`;
  const bold = look.bold === true ? '<w:b/><w:bCs/>' : '';
  const italic = look.italic === true ? '<w:i/><w:iCs/>' : '';
  const properties = `${style}${bold}${italic}${rightToLeft ? '<w:rtl/>' : ''}`;
  return properties === '' ? '' : `<w:rPr>${properties}</w:rPr>`;
}

function textXml(text: string): string {
  if (!breaks.test(text)) return `<w:t xml:space="preserve">${escapeXml(text)}</w:t>`;
  let xml = '';
  for (const piece of text.split(breaks)) {
    if (piece === '') continue;
    if (piece === '\t') xml += '<w:tab/>';
    else if (breaks.test(piece)) xml += '<w:br/>';
    else xml += `<w:t xml:space="preserve">${escapeXml(piece)}</w:t>`;
  }
  return xml;
}
