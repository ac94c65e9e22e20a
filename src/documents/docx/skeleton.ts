import {
  AlignmentType,
  Document,
  Footer,
  Header,
  Packer,
  PageNumber,
  PageOrientation,
  Paragraph,
  TextRun,
} from 'docx';
import type { PaletteName } from '../../domain/documents/common.ts';
import { readZip } from '../ooxml/zip.ts';
import { type Palette, palettes } from '../palettes.ts';
import { type Orientation, page } from './page.ts';
import { listReferences, numberingOf, ownStylesXml, stylesOf } from './styles.ts';

/**
 * Everything of a Word document that does not depend on its content, written by the library once for each palette: a
 * document then only adds its body, its properties and its pictures.
 */
export interface Skeleton {
  /** By name, in archive order; what a document writes itself is not among them. */
  readonly parts: ReadonlyMap<string, string>;
  /** Around the body's paragraphs and tables. */
  readonly documentOpening: string;
  readonly documentEnd: string;
  /** Around the runs of the header's text. */
  readonly header: readonly [before: string, after: string];
  readonly bulletsId: number;
  /** `w:num` of a numbered list, for any id: each list has one of its own, so that each starts at 1. */
  readonly numberedListXml: (numberingId: number) => string;
  /** Ids of numbered lists start here. */
  readonly firstListId: number;
  /** `w:sectPr`; the first section of a document carries header and footer, the others inherit them. */
  readonly sectionXml: (orientation: Orientation, isFirst: boolean) => string;
}

const markerText = 'splice';
const marker = `<w:r><w:t xml:space="preserve">${markerText}</w:t></w:r>`;
const markerParagraph = `<w:p>${marker}</w:p>`;

const cache = new Map<PaletteName, Promise<Skeleton>>();

/** Returns the skeleton of a palette, built at its first use in this thread. */
export function skeletonOf(paletteName: PaletteName): Promise<Skeleton> {
  let skeleton = cache.get(paletteName);
  if (skeleton === undefined) {
    skeleton = buildSkeleton(palettes[paletteName]);
    cache.set(paletteName, skeleton);
  }
  return skeleton;
}

async function buildSkeleton(palette: Palette): Promise<Skeleton> {
  const archive = await Packer.toBuffer(libraryDocument(palette));
  const parts = new Map(
    [...readZip(archive)].map(([name, bytes]) => [name, Buffer.from(bytes).toString('utf8')]),
  );
  const take = (name: string): string => {
    const part = parts.get(name);
    if (part === undefined) throw new Error(`docx: the library wrote no ${name}`);
    return part;
  };
  const documentXml = take('word/document.xml');
  const [opening, rest] = cut(documentXml, markerParagraph);
  const [bulletsId, numbersId] = [...rest.matchAll(/<w:numId w:val="(\d+)"\/>/g)].map((match) =>
    Number(match[1]),
  );
  const numbering = take('word/numbering.xml');
  const numberedList = find(numbering, new RegExp(`<w:num w:numId="${numbersId}">.*?</w:num>`));
  const numberIds = [...numbering.matchAll(/<w:num w:numId="(\d+)"/g)].map((match) => Number(match[1]));

  // The library writes Strong as a paragraph style, under the name of Word's character style.
  const styles = take('word/styles.xml').replace(
    /<w:style w:type="paragraph" w:styleId="Strong">.*?<\/w:style>/,
    '',
  );
  parts.set('word/styles.xml', spliceBefore(styles, '</w:styles>', ownStylesXml(palette)));
  return {
    parts,
    documentOpening: opening,
    documentEnd: '</w:body></w:document>',
    header: cut(take('word/header1.xml'), marker),
    bulletsId: bulletsId as number,
    numberedListXml: (id) => numberedList.replace(`w:numId="${numbersId}"`, `w:numId="${id}"`),
    firstListId: Math.max(...numberIds) + 1,
    sectionXml: sectionsOf(rest),
  };
}

function libraryDocument(palette: Palette): Document {
  const { top, right, bottom, left, header, footer } = page.margin;
  const pageOf = (orientation: Orientation) => ({
    size: {
      width: page.shortEdge,
      height: page.longEdge,
      orientation: orientation === 'portrait' ? PageOrientation.PORTRAIT : PageOrientation.LANDSCAPE,
    },
    margin: { top, right, bottom, left, header, footer },
  });
  const footerOf = () =>
    new Footer({
      children: [
        new Paragraph({
          style: 'Footer',
          alignment: AlignmentType.CENTER,
          children: [new TextRun({ children: [PageNumber.CURRENT, ' of ', PageNumber.TOTAL_PAGES] })],
        }),
      ],
    });
  const listItem = (reference: string) =>
    new Paragraph({ text: '', numbering: { reference, level: 0, instance: 0 } });
  return new Document({
    styles: stylesOf(palette),
    numbering: numberingOf(palette),
    theme: themeOf(palette),
    sections: [
      {
        properties: { titlePage: true, page: pageOf('portrait') },
        headers: {
          default: new Header({ children: [new Paragraph({ style: 'Header', text: markerText })] }),
          first: new Header({ children: [new Paragraph({ style: 'Footer', text: '' })] }),
        },
        footers: { default: footerOf(), first: footerOf() },
        children: [
          new Paragraph(markerText),
          listItem(listReferences.bullets),
          listItem(listReferences.numbers),
        ],
      },
      { properties: { page: pageOf('landscape') }, children: [] },
    ],
  });
}

/** The palette as the theme, so that what a reader adds (shapes, charts) takes the document's colours. */
function themeOf(palette: Palette) {
  const [accent1, accent2, accent3, accent4, accent5, accent6] = palette.series;
  return {
    name: 'Report',
    colors: {
      dark2: palette.primary,
      light2: palette.surface,
      accent1,
      accent2,
      accent3,
      accent4,
      accent5,
      accent6,
      hyperlink: palette.primary,
      followedHyperlink: palette.muted,
    },
  };
}

function sectionsOf(xml: string): Skeleton['sectionXml'] {
  const [portrait, landscape] = [...xml.matchAll(/<w:sectPr>.*?<\/w:sectPr>/g)].map((match) => match[0]);
  if (portrait === undefined || landscape === undefined)
    throw new Error('docx: the library wrote no sections');
  const references = find(portrait, /(?:<w:(?:header|footer)Reference [^>]*\/>)+/);
  const size = (section: string) => find(section, /<w:pgSz [^>]*\/>/);
  return (orientation, isFirst) => {
    const section = isFirst ? portrait : portrait.replace(references, '').replace('<w:titlePg/>', '');
    return orientation === 'portrait' ? section : section.replace(size(portrait), size(landscape));
  };
}

function cut(text: string, at: string): readonly [string, string] {
  const index = text.indexOf(at);
  if (index < 0) throw new Error(`docx: the library wrote no ${at}`);
  return [text.slice(0, index), text.slice(index + at.length)];
}

function find(text: string, pattern: RegExp): string {
  const found = pattern.exec(text)?.[0];
  if (found === undefined) throw new Error(`docx: the library wrote nothing like ${pattern.source}`);
  return found;
}

export function spliceBefore(text: string, before: string, insert: string): string {
  const [opening, rest] = cut(text, before);
  return `${opening}${insert}${before}${rest}`;
}
