import { inflateSync } from 'node:zlib';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fontFace } from '../../../src/documents/fonts/font-face.ts';
import { createTypesetter, measurePlain } from '../../../src/documents/fonts/typesetter.ts';
import { createDocumentFonts } from '../../../src/documents/pdf/document-font.ts';
import { formEmbedder } from '../../../src/documents/pdf/embed-form.ts';
import { PageCanvas } from '../../../src/documents/pdf/page-canvas.ts';
import { PdfDocument, type PdfPage } from '../../../src/documents/pdf/pdf-document.ts';
import { addElement, createStructureTree } from '../../../src/documents/pdf/structure-tree.ts';

const look = { bold: false, italic: false, mono: false };

/** The operators that a page holds when something was drawn on it, marked content and white space left out. */
function operatorsOf(draw: (canvas: PageCanvas, element: ReturnType<typeof addElement>) => void): string {
  const document = new PdfDocument({ title: 't', language: 'en', createdAt: new Date(0) });
  const structure = createStructureTree(document);
  document.addPage({ size: [200, 100], margin: 0 });
  const page = document.page as unknown as PdfPage;
  const canvas = new PageCanvas(page, 0, 200, 100, {
    fontOf: createDocumentFonts(document),
    structure,
    embedForm: formEmbedder(document),
  });
  draw(canvas, addElement(structure.root, 'TD'));
  canvas.flush();
  const content = inflateSync(Buffer.concat(page.content.buffer)).toString('latin1');
  return content
    .replace(/\/TD<<\/MCID 0>>BDC|EMC|\[|\]/g, '')
    .replace(/TJ/g, 'Tj')
    .replace(/\s+/g, ' ')
    .trim();
}

test('a plain cell is drawn as any other text is', () => {
  const typesetter = createTypesetter([]);
  const letters = fc.string({ unit: fc.constantFrom(...'AVTWo. yąŁЖΩ()\\-'), minLength: 1 });
  fc.assert(
    fc.property(letters, (text) => {
      fc.pre(measurePlain(text, look) !== undefined);
      const straight = operatorsOf((canvas, element) =>
        canvas.plainText(element, fontFace('sans', 'regular'), text, 10, 20, 9, '000000'),
      );
      const shaped = operatorsOf((canvas, element) =>
        canvas.tag(element, () => canvas.text(typesetter.shape(text, look), 10, 20, 9, '000000')),
      );
      expect(straight).toBe(shaped);
    }),
  );
});

test('decoration kept a place for is drawn under what came before it, with colours of its own', () => {
  const operators = operatorsOf((canvas) => {
    const ground = canvas.reserveArtifact();
    canvas.artifact(() => canvas.rectangle(0, 0, 10, 10, 'FF0000'));
    ground(() => canvas.rectangle(0, 0, 20, 20, 'FF0000'));
    canvas.artifact(() => canvas.rectangle(0, 0, 30, 30, 'FF0000'));
  });
  const places = ['20 20 re', '10 10 re', '30 30 re'].map((box) => operators.indexOf(box));
  expect(places).toEqual(places.toSorted((a, b) => a - b));
  expect(operators.match(/1 0 0 rg/g)?.length).toBe(2);
});

test('a form holds what was drawn and is shown by its name; what comes after is drawn as if it were not there', () => {
  const rectangle = (canvas: PageCanvas) => canvas.rectangle(0, 0, 10, 10, 'FF0000');
  const operators = operatorsOf((canvas) => {
    canvas.artifact(() => {
      rectangle(canvas);
      const form = canvas.form(() => canvas.artifact(() => canvas.rectangle(5, 5, 1, 1, '00FF00')));
      canvas.show(form);
      canvas.show(form);
      rectangle(canvas);
    });
  });
  expect(operators).toBe(
    '/Artifact<</Type/Layout>>BDC 1 0 0 rg 0 90 10 10 re f /Fm1 Do /Fm1 Do 0 90 10 10 re f',
  );
});
