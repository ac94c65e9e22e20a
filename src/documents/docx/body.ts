import type { ImageAsset } from '../../domain/documents/common.ts';

/** A picture of the package: its relationship id, its file name under `word/media` and its bytes. */
interface MediaFile {
  readonly id: string;
  readonly fileName: string;
  readonly bytes: Uint8Array;
}

/** The text of `document.xml` as it grows, and what it refers to. */
export interface Body {
  push(xml: string): void;
  /** Ends a section with what was pushed last, which must be one paragraph or the end of several. */
  endSection(sectionXml: string): void;
  /** Relationship id of a hyperlink; one for each address. */
  linkId(href: string): string;
  /** Relationship id of a picture; one for each content. */
  pictureId(asset: ImageAsset): string;
  /** Id of a numbered list that starts at 1. */
  newListId(): number;
  /** Id of a drawing, unique in the document. */
  newDrawingId(): number;
  readonly links: ReadonlyMap<string, string>;
  readonly media: readonly MediaFile[];
  readonly listIds: readonly number[];
  /** Bytes in UTF-8, each chunk once. */
  chunks(): readonly Uint8Array[];
}

const chunkChars = 65_536;

/** Creates an empty body. Text is encoded as it comes, so that a long document is never held as one string. */
export function createBody(firstListId: number): Body {
  const chunks: Uint8Array[] = [];
  const links = new Map<string, string>();
  const media: MediaFile[] = [];
  const listIds: number[] = [];
  let pending = '';
  let last = '';
  let drawings = 0;

  const flush = (): void => {
    if (pending !== '') chunks.push(Buffer.from(pending, 'utf8'));
    pending = '';
  };
  return {
    links,
    media,
    listIds,
    push(xml) {
      pending += last;
      last = xml;
      if (pending.length > chunkChars) flush();
    },
    endSection(sectionXml) {
      last = withSection(last, sectionXml);
    },
    linkId(href) {
      const id = links.get(href) ?? `link${links.size + 1}`;
      links.set(href, id);
      return id;
    },
    pictureId({ kind, bytes }) {
      const known = media.find((file) => Buffer.compare(file.bytes, bytes) === 0);
      if (known !== undefined) return known.id;
      const number = media.length + 1;
      media.push({ id: `picture${number}`, fileName: `image${number}.${kind}`, bytes });
      return `picture${number}`;
    },
    newListId() {
      const id = firstListId + listIds.length;
      listIds.push(id);
      return id;
    },
    newDrawingId: () => ++drawings,
    chunks() {
      pending += last;
      last = '';
      flush();
      return chunks;
    },
  };
}

/** Puts `w:sectPr` at the end of the last paragraph's properties: a paragraph of its own could fall on an empty page. */
function withSection(xml: string, sectionXml: string): string {
  const start = xml.lastIndexOf('<w:p>');
  if (start < 0) throw new Error('docx: no paragraph ends the section');
  const end = xml.indexOf('</w:pPr>', start);
  if (end >= 0) return `${xml.slice(0, end)}${sectionXml}${xml.slice(end)}`;
  const inside = start + '<w:p>'.length;
  return `${xml.slice(0, inside)}<w:pPr>${sectionXml}</w:pPr>${xml.slice(inside)}`;
}
