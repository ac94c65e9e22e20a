import type { FontFace } from '../fonts/font-face.ts';
import { subsetTrueType } from '../fonts/subset-truetype.ts';
import type { PdfDocument, PdfReference } from './pdf-document.ts';

/** A face as one document embeds it: only the glyphs that it shows, each with the text that it stands for. */
export interface DocumentFont {
  /** Its name in a page's resources. */
  readonly name: string;
  readonly reference: PdfReference;
  /** Four hexadecimal digits that show a glyph standing for a text. */
  codeOf(glyph: number, text: string): string;
}

/** What of pdfkit 0.20.2's embedded font is used here. */
interface EmbeddedFont {
  readonly id: string;
  readonly widths: number[];
  readonly unicode: number[][];
  subset: { includeGlyph?(glyph: number): number; encode(): Uint8Array; readonly cff?: unknown };
  ref(): PdfReference;
}

/** Signs without a text of their own are extracted as nothing visible. */
const zeroWidthSpace = 0x200b;

/** Embeds faces at their first use in a document. */
export function createDocumentFonts(document: PdfDocument): (face: FontFace) => DocumentFont {
  const fonts = new Map<FontFace, DocumentFont>();
  return (face) => {
    let font = fonts.get(face);
    if (font === undefined) {
      font = embedFont(document, face);
      fonts.set(face, font);
    }
    return font;
  };
}

function embedFont(document: PdfDocument, face: FontFace): DocumentFont {
  document.font(face.font as unknown as PDFKit.Mixins.PDFFontSource, face.id);
  const embedded = (document as unknown as { readonly _font: EmbeddedFont })._font;
  const isCff = embedded.subset.cff != null;
  const chosen = [0];
  if (!isCff) embedded.subset = { encode: () => subsetTrueType(face.file, chosen) };
  const include = (glyph: number): number =>
    isCff ? (embedded.subset.includeGlyph?.(glyph) ?? 0) : chosen.push(glyph) - 1;

  const singleCodes = new Map<number, string>();
  const longCodes = new Map<string, string>();
  const add = (glyph: number, text: string): string => {
    const index = include(glyph);
    embedded.widths[index] ??= face.advanceOf(glyph);
    embedded.unicode[index] ??=
      text === '' ? [zeroWidthSpace] : Array.from(text, (character) => character.codePointAt(0) ?? 0);
    return index.toString(16).padStart(4, '0');
  };
  return {
    name: embedded.id,
    reference: embedded.ref(),
    codeOf(glyph, text) {
      if (text.length === 1) {
        const key = glyph * 0x10000 + text.charCodeAt(0);
        let code = singleCodes.get(key);
        if (code === undefined) {
          code = add(glyph, text);
          singleCodes.set(key, code);
        }
        return code;
      }
      const key = `${glyph} ${text}`;
      let code = longCodes.get(key);
      if (code === undefined) {
        code = add(glyph, text);
        longCodes.set(key, code);
      }
      return code;
    },
  };
}
