import { escapeXml, xmlDeclaration } from '../ooxml/xml.ts';
import { writeZip } from '../ooxml/zip.ts';
import type { Body } from './body.ts';
import { isRightToLeft } from './direction.ts';
import { runsXml } from './run.ts';
import { type Skeleton, spliceBefore } from './skeleton.ts';
import { eastAsianFontMarker, languageMarker } from './styles.ts';

export interface PackageProperties {
  readonly title: string;
  readonly subtitle: string;
  readonly language: string;
  readonly createdAtMs: number;
}

const relationshipTypes = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const headerCharsMax = 90;
const propertyCharsMax = 255;

/** Puts a document's body and properties into the skeleton and zips it; equal input gives equal bytes. */
export function writePackage(skeleton: Skeleton, body: Body, properties: PackageProperties): Uint8Array {
  const parts = new Map<string, string | Uint8Array>([
    // Readers that sniff the type look for the content types first.
    ['[Content_Types].xml', part(skeleton, '[Content_Types].xml')],
    ...skeleton.parts,
  ]);
  const documentXml = Buffer.concat([
    Buffer.from(skeleton.documentOpening),
    ...body.chunks(),
    Buffer.from(skeleton.documentEnd),
  ]);
  const styles = part(skeleton, 'word/styles.xml')
    .replaceAll(languageMarker, escapeXml(properties.language))
    .replaceAll(eastAsianFontMarker, eastAsianFont(properties.language));
  const lists = body.listIds.map(skeleton.numberedListXml).join('');
  parts.set('word/document.xml', documentXml);
  parts.set('word/styles.xml', styles);
  parts.set(
    'word/numbering.xml',
    spliceBefore(part(skeleton, 'word/numbering.xml'), '</w:numbering>', lists),
  );
  parts.set(
    'word/_rels/document.xml.rels',
    spliceBefore(part(skeleton, 'word/_rels/document.xml.rels'), '</Relationships>', relationshipsXml(body)),
  );
  parts.set('word/header1.xml', skeleton.header.join(headerRuns(properties.title)));
  parts.set('docProps/core.xml', corePropertiesXml(properties));
  for (const { fileName, bytes } of body.media) parts.set(`word/media/${fileName}`, bytes);
  return writeZip(parts, { level: 6 });
}

function part(skeleton: Skeleton, name: string): string {
  const text = skeleton.parts.get(name);
  if (text === undefined) throw new Error(`docx: the library wrote no ${name}`);
  return text;
}

function relationshipsXml(body: Body): string {
  const links = [...body.links].map(
    ([href, id]) =>
      `<Relationship Id="${id}" Type="${relationshipTypes}/hyperlink" Target="${escapeXml(href)}" TargetMode="External"/>`,
  );
  const pictures = body.media.map(
    ({ id, fileName }) =>
      `<Relationship Id="${id}" Type="${relationshipTypes}/image" Target="media/${fileName}"/>`,
  );
  return [...links, ...pictures].join('');
}

function headerRuns(title: string): string {
  const line = shortened(title, headerCharsMax);
  return runsXml(line, isRightToLeft(line));
}

/** Source: ECMA-376 Part 2, 11 (core properties). */
function corePropertiesXml({ title, subtitle, language, createdAtMs }: PackageProperties): string {
  const time = `${new Date(createdAtMs).toISOString().slice(0, 19)}Z`;
  const subject = shortened(subtitle, propertyCharsMax);
  return [
    xmlDeclaration,
    '<cp:coreProperties xmlns:cp="http://schemas.openxmlformats.org/package/2006/metadata/core-properties"',
    ' xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:dcterms="http://purl.org/dc/terms/"',
    ' xmlns:dcmitype="http://purl.org/dc/dcmitype/" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">',
    `<dc:title>${escapeXml(shortened(title, propertyCharsMax))}</dc:title>`,
    subject === '' ? '' : `<dc:subject>${escapeXml(subject)}</dc:subject>`,
    `<dc:language>${escapeXml(language)}</dc:language>`,
    `<dcterms:created xsi:type="dcterms:W3CDTF">${time}</dcterms:created>`,
    `<dcterms:modified xsi:type="dcterms:W3CDTF">${time}</dcterms:modified>`,
    '</cp:coreProperties>',
  ].join('');
}

/** The font that Word draws Chinese, Japanese and Korean text with; Han characters look different in each language. */
function eastAsianFont(language: string): string {
  const [primary = '', ...subtags] = language.toLowerCase().split('-');
  if (primary === 'ja') return 'Yu Gothic';
  if (primary === 'ko') return 'Malgun Gothic';
  const isTraditional = subtags.some((subtag) => ['hant', 'tw', 'hk', 'mo'].includes(subtag));
  return primary === 'zh' && isTraditional ? 'Microsoft JhengHei' : 'Microsoft YaHei';
}

function shortened(text: string, charsMax: number): string {
  const line = text.replace(/\s+/g, ' ').trim();
  if (line.length <= charsMax) return line;
  const characters = [...line.slice(0, 2 * charsMax)].slice(0, charsMax - 1);
  return `${characters.join('')}…`;
}
