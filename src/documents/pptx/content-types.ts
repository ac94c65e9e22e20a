import { escapeXml, xmlDeclaration } from '../ooxml/xml.ts';

const presentation = 'application/vnd.openxmlformats-officedocument.presentationml';

/** Content types by the folder and name of a part (ECMA-376 Part 1, 13.3). */
const overrides: readonly (readonly [RegExp, string])[] = [
  [/^ppt\/slides\/slide\d+\.xml$/, `${presentation}.slide+xml`],
  [/^ppt\/notesSlides\/notesSlide\d+\.xml$/, `${presentation}.notesSlide+xml`],
  [/^ppt\/charts\/chart\d+\.xml$/, 'application/vnd.openxmlformats-officedocument.drawingml.chart+xml'],
  [/^ppt\/theme\/theme\d+\.xml$/, 'application/vnd.openxmlformats-officedocument.theme+xml'],
  [/^ppt\/slideLayouts\/slideLayout\d+\.xml$/, `${presentation}.slideLayout+xml`],
  [/^ppt\/slideMasters\/slideMaster\d+\.xml$/, `${presentation}.slideMaster+xml`],
  [/^ppt\/notesMasters\/notesMaster\d+\.xml$/, `${presentation}.notesMaster+xml`],
  [/^ppt\/presentation\.xml$/, `${presentation}.presentation.main+xml`],
  [/^ppt\/presProps\.xml$/, `${presentation}.presProps+xml`],
  [/^ppt\/viewProps\.xml$/, `${presentation}.viewProps+xml`],
  [/^ppt\/tableStyles\.xml$/, `${presentation}.tableStyles+xml`],
  [/^docProps\/core\.xml$/, 'application/vnd.openxmlformats-package.core-properties+xml'],
  [/^docProps\/app\.xml$/, 'application/vnd.openxmlformats-officedocument.extended-properties+xml'],
];

const defaults: Readonly<Record<string, string>> = {
  rels: 'application/vnd.openxmlformats-package.relationships+xml',
  xml: 'application/xml',
  png: 'image/png',
  jpeg: 'image/jpeg',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
};

/** `[Content_Types].xml` of the parts that are there, and of no others (ECMA-376 Part 2, 6.2.3). */
export function contentTypesPart(names: Iterable<string>): string {
  const entries = Object.entries(defaults).map(
    ([extension, type]) => `<Default Extension="${extension}" ContentType="${type}"/>`,
  );
  for (const name of names) {
    const type = overrides.find(([pattern]) => pattern.test(name))?.[1];
    if (type !== undefined) entries.push(`<Override PartName="/${escapeXml(name)}" ContentType="${type}"/>`);
  }
  return `${xmlDeclaration}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">${entries.join('')}</Types>`;
}
