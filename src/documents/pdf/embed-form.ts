import type { CanvasTools } from './page-canvas.ts';
import type { PdfDocument, PdfReference } from './pdf-document.ts';

/** Embeds forms in a document; each has a name of its own in every page's resources. */
export function formEmbedder(document: PdfDocument): CanvasTools['embedForm'] {
  let count = 0;
  return (content, fonts, width, height) => {
    count += 1;
    const resources = { Font: fonts };
    const entries = { Type: 'XObject', Subtype: 'Form', BBox: [0, 0, width, height], Resources: resources };
    const reference = document.ref(entries) as unknown as PdfReference;
    reference.end(Buffer.from(content, 'latin1'));
    return { name: `Fm${count}`, reference };
  };
}
