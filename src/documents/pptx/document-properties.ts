import type { DeckSpec } from '../../domain/documents/deck-spec.ts';
import { escapeXml, xmlDeclaration } from '../ooxml/xml.ts';

/** `docProps/core.xml`: title, subtitle as subject, language, and the request's time (ECMA-376 Part 2, 8.3). */
export function corePropertiesPart(spec: DeckSpec, createdAtMs: number): string {
  const time = `${new Date(createdAtMs).toISOString().slice(0, 19)}Z`;
  const moment = (name: string) => `<dcterms:${name} xsi:type="dcterms:W3CDTF">${time}</dcterms:${name}>`;
  const subject = spec.subtitle === undefined ? '' : `<dc:subject>${escapeXml(spec.subtitle)}</dc:subject>`;
  return (
    `${xmlDeclaration}<cp:coreProperties xmlns:cp="http://schemas.openxmlformats.org/package/2006/metadata/core-properties" ` +
    'xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:dcterms="http://purl.org/dc/terms/" ' +
    'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">' +
    `<dc:title>${escapeXml(spec.title)}</dc:title>${subject}<dc:creator>Service</dc:creator>` +
    `<cp:lastModifiedBy>Service</cp:lastModifiedBy><cp:revision>1</cp:revision>${moment('created')}${moment('modified')}` +
    `<dc:language>${escapeXml(spec.language)}</dc:language></cp:coreProperties>`
  );
}

/** `docProps/app.xml` (ECMA-376 Part 1, 22.2). */
export function appPropertiesPart(slideCount: number, notesCount: number): string {
  return (
    `${xmlDeclaration}<Properties xmlns="http://schemas.openxmlformats.org/officeDocument/2006/extended-properties">` +
    '<Application>Microsoft Office PowerPoint</Application><PresentationFormat>Widescreen</PresentationFormat>' +
    `<Slides>${slideCount}</Slides><Notes>${notesCount}</Notes><HiddenSlides>0</HiddenSlides>` +
    '<AppVersion>16.0000</AppVersion></Properties>'
  );
}
