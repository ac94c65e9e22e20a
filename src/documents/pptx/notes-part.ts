import { escapeXml, xmlDeclaration } from '../ooxml/xml.ts';
import { shapeTree } from './master-shapes.ts';
import { isRightToLeft } from './text-body.ts';
import { splitLines } from './text-lines.ts';

/** A slide's speaker notes as a notes slide, a paragraph to a line (ECMA-376 Part 1, 19.3.1.26). */
export function notesPart(notes: string, language: string): string {
  const lang = escapeXml(language);
  const paragraphs = splitLines(notes).map((line) => {
    const properties = isRightToLeft(line) ? '<a:pPr algn="r" rtl="1"/>' : '';
    const run =
      line === ''
        ? `<a:endParaRPr lang="${lang}" dirty="0"/>`
        : `<a:r><a:rPr lang="${lang}" dirty="0"/><a:t>${escapeXml(line)}</a:t></a:r>`;
    return `<a:p>${properties}${run}</a:p>`;
  });
  return (
    `${xmlDeclaration}<p:notes xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" ` +
    'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships" ' +
    'xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main"><p:cSld>' +
    shapeTree(
      '<p:sp><p:nvSpPr><p:cNvPr id="2" name="Slide Image 1"/><p:cNvSpPr>' +
        '<a:spLocks noGrp="1" noRot="1" noChangeAspect="1"/></p:cNvSpPr><p:nvPr><p:ph type="sldImg" idx="2"/></p:nvPr>' +
        '</p:nvSpPr><p:spPr/></p:sp>' +
        '<p:sp><p:nvSpPr><p:cNvPr id="3" name="Notes 2"/><p:cNvSpPr><a:spLocks noGrp="1"/></p:cNvSpPr>' +
        '<p:nvPr><p:ph type="body" sz="quarter" idx="3"/></p:nvPr></p:nvSpPr><p:spPr/>' +
        `<p:txBody><a:bodyPr/><a:lstStyle/>${paragraphs.join('')}</p:txBody></p:sp>`,
    ) +
    '</p:cSld><p:clrMapOvr><a:masterClrMapping/></p:clrMapOvr></p:notes>'
  );
}
