import { createHash } from 'node:crypto';
import { deflateSync } from 'node:zlib';
import PDFKit from 'pdfkit';
import { packedPlace, writeCrossReferences } from './cross-references.ts';
import { type PdfMetadata, xmpPacket } from './xmp-packet.ts';

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

/** Names an object that pdfkit does not hold; the tag keeps pdfkit from writing it as a dictionary. */
export function packedReference(id: number): object {
  return { [Symbol.toStringTag]: 'Reference', toString: () => `${id} 0 R` };
}

/** A compressed stream that is being filled: its objects' numbers, their places and what they are. */
interface PendingStream {
  readonly ids: number[];
  places: string;
  bodies: string;
}

function emptyStream(): PendingStream {
  return { ids: [], places: '', bodies: '' };
}

/** How many objects share a compressed stream: more press better, fewer open faster. */
const objectsPerStream = 500;

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
  /** By number: where a packed object stands; undefined for the others. */
  private readonly packed: (number | undefined)[] = [];
  private pending = emptyStream();
  private readonly details: PdfMetadata;
  private resolveBytes: ((bytes: Uint8Array) => void) | undefined;

  constructor(details: PdfMetadata) {
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

  /** The number of an object that `packObject` writes later, so that others can name it before. */
  reserveObject(): number {
    return this._offsets.push(null);
  }

  /** Writes a dictionary or an array of a reserved number into a compressed stream (ISO 32000-1, 7.5.7). */
  packObject(id: number, body: string): void {
    this.pending.ids.push(id);
    this.pending.places += `${id} ${this.pending.bodies.length} `;
    this.pending.bodies += `${body}\n`;
    if (this.pending.ids.length === objectsPerStream) this.flushPacked();
  }

  /** Ends the last compressed stream. */
  flushPacked(): void {
    const { ids, places, bodies } = this.pending;
    if (ids.length === 0) return;
    const stream = this.ref({
      Type: 'ObjStm',
      N: ids.length,
      First: places.length,
      Filter: 'FlateDecode',
    }) as unknown as PdfReference;
    stream.end(deflateSync(Buffer.from(places + bodies, 'latin1'), { level: 3 }));
    ids.forEach((id, index) => {
      this.packed[id] = packedPlace(stream.id, index);
    });
    this.pending = emptyStream();
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
