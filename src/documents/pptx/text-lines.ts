import { glyphWidth, isWide } from './glyph-widths.ts';

/** One paragraph measured once, to be broken into lines at any width and size. */
export interface MeasuredText {
  /** Pieces between which a line may end: the piece's own width and that of the blanks behind it, em / 1000. */
  readonly pieces: readonly number[];
  /** Width on one line, em / 1000. */
  readonly width: number;
  /** Width of the widest piece, em / 1000. */
  readonly widest: number;
}

const lineEnd = /\r\n|[\n\r\v\u2028\u2029]/;

/** The lines of a text. */
export function splitLines(text: string): string[] {
  return text.split(lineEnd);
}

/** More lines than this are on no slide, even at one point: what a text has beyond them shares the last paragraph. */
const paragraphsMax = 500;

/** The paragraphs of a text in a box or a cell. */
export function splitParagraphs(text: string): string[] {
  const lines = splitLines(text);
  if (lines.length <= paragraphsMax) return lines;
  return [...lines.slice(0, paragraphsMax - 1), lines.slice(paragraphsMax - 1).join(' ')];
}

const tabWidth = 2_000;

/** Measures a text without line ends in Arial, in one pass. */
export function measureText(text: string): MeasuredText {
  const pieces: number[] = [];
  let piece = 0;
  let blanks = 0;
  let width = 0;
  let widest = 0;
  const endPiece = () => {
    pieces.push(piece, blanks);
    width += piece + blanks;
    if (piece > widest) widest = piece;
    piece = 0;
    blanks = 0;
  };
  for (let index = 0; index < text.length; index++) {
    let code = text.charCodeAt(index);
    if (code >= 0xd800 && code <= 0xdbff) code = text.codePointAt(index++) ?? code;
    if (code === 0x20 || code === 0x09) {
      blanks += code === 0x09 ? tabWidth : glyphWidth(code);
      continue;
    }
    if (blanks > 0 || (piece > 0 && isWide(code))) endPiece();
    piece += glyphWidth(code);
    // A hyphen stays on its line.
    if (code === 0x2d || isWide(code)) endPiece();
  }
  if (piece > 0 || blanks > 0) endPiece();
  return { pieces, width, widest };
}

/** The lines that a measured text takes at a width (em / 1000), one at least; a piece wider than a line is cut. */
export function countLines(text: MeasuredText, lineWidth: number): number {
  if (text.width <= lineWidth) return 1;
  if (lineWidth <= 0) return Math.max(1, text.pieces.length);
  let lines = 1;
  let used = 0;
  for (let index = 0; index < text.pieces.length; index += 2) {
    const piece = text.pieces[index] ?? 0;
    if (used > 0 && used + piece > lineWidth) {
      lines++;
      used = 0;
    }
    if (piece > lineWidth) {
      lines += Math.ceil(piece / lineWidth) - 1;
      used = piece % lineWidth;
    } else {
      used += piece;
    }
    used += text.pieces[index + 1] ?? 0;
  }
  return lines;
}
