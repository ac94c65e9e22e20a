import type { FontFace, Glyph } from '../fonts/font-face.ts';
import { subsetCff } from '../fonts/subset-cff.ts';
import { subsetTrueType } from '../fonts/subset-truetype.ts';
import type { PdfDocument, PdfReference } from './pdf-document.ts';
import { pdfNumber } from './pdf-text.ts';

/** A face as one document embeds it: only the glyphs that it shows, each with the text that it stands for. */
export interface DocumentFont {
  /** Its name in a page's resources. */
  readonly name: string;
  readonly reference: PdfReference;
  /** The two bytes of a literal string, escaped, that show a glyph standing for a text. */
  codeOf(glyph: Glyph, text: string): string;
  /** The operator that shows a text that is plain (one glyph a character), its letters kerned. */
  showPlain(text: string): string;
}

/** Glyphs of one embedded font, each with its text; codes have two bytes, and parts of glyphs take some. */
const codesMax = 58_000;
/** Glyphs that are first met when a font is full. */
const standInsMax = 3_000;
const notDefined = '\0\0';

/** What of pdfkit 0.20.2's embedded font is used here. */
interface EmbeddedFont {
  readonly id: string;
  readonly widths: number[];
  readonly unicode: number[][];
  subset: { encode(): Uint8Array; readonly cff?: boolean };
  ref(): PdfReference;
}

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
  const chosen: Glyph[] = [0];
  embedded.subset = face.isTrueType
    ? { encode: () => subsetTrueType(face.file, chosen) }
    : {
        encode: () =>
          subsetCff(
            face.file,
            chosen.filter((glyph) => typeof glyph === 'number'),
          ),
        cff: true,
      };
  const add = (glyph: Glyph, text: string): string => {
    const index = chosen.push(glyph) - 1;
    embedded.widths[index] ??= typeof glyph === 'number' ? face.advanceOf(glyph) : glyph.advance;
    embedded.unicode[index] ??= codePointsOf(text);
    return escapeByte(index >> 8) + escapeByte(index & 0xff);
  };

  // Nearly every glyph stands for one character, and nearly every character has one glyph.
  const blocks: { readonly glyphs: Uint16Array; readonly codes: string[] }[] = [];
  const otherCodes = new Map<string, string>();
  const codeOfOther = (glyph: Glyph, text: string): string => {
    let key = typeof glyph === 'number' ? `${glyph} ${text}` : glyph.key;
    let code = otherCodes.get(key);
    if (code !== undefined) return code;
    // A full font shows the glyph with the text of its first such use.
    if (chosen.length >= codesMax) key = typeof glyph === 'number' ? `${glyph}` : key;
    code = otherCodes.get(key) ?? (chosen.length < codesMax + standInsMax ? add(glyph, text) : notDefined);
    otherCodes.set(key, code);
    return code;
  };
  const codeOf = (glyph: Glyph, text: string): string => {
    if (typeof glyph !== 'number' || text.length !== 1) return codeOfOther(glyph, text);
    const character = text.charCodeAt(0);
    blocks[character >> 8] ??= { glyphs: new Uint16Array(0x100), codes: [] };
    const block = blocks[character >> 8];
    const place = character & 0xff;
    const known = block?.codes[place];
    if (block === undefined || (known !== undefined && block.glyphs[place] !== glyph)) {
      return codeOfOther(glyph, text);
    }
    if (known !== undefined) return known;
    const code = chosen.length < codesMax ? add(glyph, text) : codeOfOther(glyph, text);
    block.glyphs[place] = glyph;
    block.codes[place] = code;
    return code;
  };
  const plainCodes: string[] = [];
  const showPlain = (text: string): string => {
    let shown = '';
    let isKerned = false;
    let previous = 0;
    for (let index = 0; index < text.length; index++) {
      const code = text.charCodeAt(index);
      const kern = previous === 0 ? 0 : face.kernOf(previous, code);
      if (kern !== 0) {
        shown += `)${pdfNumber(-kern)}(`;
        isKerned = true;
      }
      let bytes = plainCodes[code];
      if (bytes === undefined) {
        bytes = codeOf(face.glyphOf(code), text.charAt(index));
        plainCodes[code] = bytes;
      }
      shown += bytes;
      previous = code;
    }
    return isKerned ? `[(${shown})]TJ` : `(${shown})Tj`;
  };
  return { name: embedded.id, reference: embedded.ref(), codeOf, showPlain };
}

/** A byte of a literal string (ISO 32000-1, 7.3.4.2). */
function escapeByte(byte: number): string {
  if (byte === 0x0d) return '\\r';
  const character = String.fromCharCode(byte);
  return character === '(' || character === ')' || character === '\\' ? `\\${character}` : character;
}

/** Every glyph must stand for something (ISO 14289-1, 7.21.7): one without a text for a space of no width. */
function codePointsOf(text: string): number[] {
  if (text === '') return [0x200b];
  return Array.from(text, (character) => character.codePointAt(0) ?? 0);
}
