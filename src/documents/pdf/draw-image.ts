import type { ImageAsset, ImageRef } from '../../domain/documents/common.ts';
import { pdfNumber } from './pdf-text.ts';
import type { ReportContext } from './report-context.ts';
import { addElement, type StructureElement } from './structure-tree.ts';

interface PdfImage {
  readonly label: string;
  obj: unknown;
  embed(document: unknown): void;
}

/** The largest box of a picture's shape within the given one. */
export function imageBox(
  image: ImageAsset,
  maxWidth: number,
  maxHeight: number,
): { readonly width: number; readonly height: number } {
  const scale = Math.min(maxWidth / image.width, maxHeight / image.height);
  return { width: image.width * scale, height: image.height * scale };
}

export interface Place {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

const opened = new WeakMap<object, Map<string, PdfImage>>();

/** Draws a picture as a figure with its alternative text; one without such text is decoration. */
export function drawImage(
  context: ReportContext,
  reference: ImageRef,
  place: Place,
  parent: StructureElement,
): void {
  const asset = context.images.get(reference.asset);
  if (asset === undefined) return;
  const image = openImage(context, reference.asset, asset);
  const { canvas } = context.flow;
  const draw = () => canvas.image(image.label, image.obj, place.x, place.y, place.width, place.height);
  if (reference.alt.trim() === '') {
    canvas.artifact(draw);
    return;
  }
  const figure = addElement(parent, 'Figure', {
    alt: reference.alt,
    attributes: boundingBox(place, canvas.height),
  });
  canvas.tag(figure, draw);
}

/** The layout attributes of a figure (ISO 32000-1, 14.8.5.4.3). */
export function boundingBox(place: Place, pageHeight: number): string {
  const corners = [place.x, pageHeight - place.y - place.height, place.x + place.width, pageHeight - place.y];
  return `<</O/Layout/Placement/Block/BBox[${corners.map(pdfNumber).join(' ')}]>>`;
}

/** A picture that stands in a report twice is embedded once. */
function openImage(context: ReportContext, key: string, asset: ImageAsset): PdfImage {
  const document = context.document as unknown as { openImage(bytes: Uint8Array): PdfImage };
  let images = opened.get(context.document);
  if (images === undefined) {
    images = new Map();
    opened.set(context.document, images);
  }
  let image = images.get(key);
  if (image === undefined) {
    image = document.openImage(asset.bytes);
    image.embed(document);
    images.set(key, image);
  }
  return image;
}
