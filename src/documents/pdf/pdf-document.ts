import { createHash } from 'node:crypto';
import { deflateSync } from 'node:zlib';
import PDFKit from 'pdfkit';
import { writeCrossReferences } from './cross-references.ts';
import { xmpPacket } from './xmp-packet.ts';

/** What of an indirect object of pdfkit is used here. */
export interface PdfReference {
  readonly id: number;
  data: Record<string, unknown>;
  write(chunk: Uint8Array | string): void;
  end(chunk?: Uint8Array | string): void;
}

export interface PdfPage {
  readonly content: PdfReference & { buffer: Uint8Array[]; compress: boolean };
  readonly dictionary: PdfReference;
  readonly fonts: Record<string, unknown>;
  readonly xobjects: Record<string, unknown>;
  readonly ext_gstates: Record<string, unknown>;
  readonly annotations: unknown[];
}

export interface PdfDocumentOptions {
  readonly title: string;
  readonly language: string;
  readonly createdAt: Date;
}

/** An object for a compressed stream: its reserved number and how it is written. */
export interface PackedObject {
  readonly id: number;
  readonly body: string;
}

/** Names an object that pdfkit does not hold; the tag keeps pdfkit from writing it as a dictionary. */
export function packedReference(id: number): object {
  return { [Symbol.toStringTag]: 'Reference', toString: () => `${id} 0 R` };
}

/** How many objects share a compressed stream: more press better, fewer open faster. */
const objectsPerStream = 250;

/**
 * A pdfkit document that ends as a PDF 1.7 file with compressed objects and a cross-reference stream, XMP
 * metadata, and an identifier made of its own bytes.
 *
 * pdfkit writes each structure element as an object of its own; a large table has tens of thousands of them,
 * which cost more bytes and time than the rest of the file together. Private members are those of pdfkit 0.20.2.
 */
export class PdfDocument extends PDFKit {
  declare readonly _root: PdfReference;
  declare readonly _info: PdfReference;
  declare readonly _offset: number;
  declare readonly _offsets: (number | null)[];
  declare readonly metadata: unknown;
  declare private chunks: Uint8Array[] | undefined;
  private readonly packed = new Map<number, readonly [stream: number, index: number]>();
  private readonly details: PdfDocumentOptions;
  private resolveBytes: ((bytes: Uint8Array) => void) | undefined;

  constructor(details: PdfDocumentOptions) {
    super({
      autoFirstPage: false,
      bufferPages: true,
      font: null,
      pdfVersion: '1.7',
      lang: details.language,
      displayTitle: true,
      info: {
        Title: details.title,
        Creator: 'Service',
        Producer: 'Service',
        CreationDate: details.createdAt,
      },
    } as unknown as PDFKit.PDFDocumentOptions);
    this.details = details;
  }

  /** Ends the document and gives the file. */
  finish(): Promise<Uint8Array> {
    return new Promise((resolve) => {
      this.resolveBytes = resolve;
      this.end();
    });
  }

  /** Numbers for objects that `packObjects` writes later, so that others can name them before. */
  reserveObjects(count: number): number {
    const first = this._offsets.length + 1;
    for (let index = 0; index < count; index++) this._offsets.push(null);
    return first;
  }

  /** Writes dictionaries or arrays into compressed streams (ISO 32000-1, 7.5.7). */
  packObjects(objects: readonly PackedObject[]): void {
    for (let start = 0; start < objects.length; start += objectsPerStream) {
      const part = objects.slice(start, start + objectsPerStream);
      let places = '';
      let bodies = '';
      for (const { id, body } of part) {
        places += `${id} ${bodies.length} `;
        bodies += `${body}\n`;
      }
      const stream = this.ref({
        Type: 'ObjStm',
        N: part.length,
        First: places.length,
        Filter: 'FlateDecode',
      }) as unknown as PdfReference;
      stream.end(deflateSync(Buffer.from(places + bodies, 'latin1'), { level: 4 }));
      for (const [index, { id }] of part.entries()) this.packed.set(id, [stream.id, index]);
    }
  }

  override push(chunk: Uint8Array | null): boolean {
    // pdfkit writes its header from its constructor, before this class's own fields exist.
    this.chunks ??= [];
    if (chunk !== null) this.chunks.push(chunk);
    return true;
  }

  /** Takes the place of pdfkit's metadata, which writes titles into XML without escaping them. */
  override endMetadata(): void {
    const metadata = this.ref({ Type: 'Metadata', Subtype: 'XML' }) as unknown as PdfReference & {
      compress: boolean;
    };
    metadata.compress = false;
    metadata.end(new TextEncoder().encode(xmpPacket(this.details)));
    this._root.data.Metadata = metadata;
  }

  /** Takes the place of pdfkit's structure tree: the report writes its own. */
  override endMarkings(): void {}

  _finalize(): void {
    const chunks = this.chunks ?? [];
    const hash = createHash('sha256');
    for (const chunk of chunks) hash.update(chunk);
    const tail = writeCrossReferences({
      offsets: this._offsets,
      packed: this.packed,
      end: this._offset,
      rootId: this._root.id,
      infoId: this._info.id,
      fileId: hash.digest('hex').slice(0, 32),
    });
    this.resolveBytes?.(Buffer.concat([...chunks, tail]));
    this.chunks = [];
  }
}
