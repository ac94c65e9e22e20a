import { glyphWidth, isWide, markWidth } from './glyph-widths.ts';

/**
 * One paragraph measured once, to be broken into lines at any width and size. A line may end behind each piece; within
 * a piece it ends only where the piece is wider than a line, and never within a cluster, a character with its marks.
 * Widths in em / 1000.
 */
export interface MeasuredText {
  /** `[piece]`, without the blanks behind it. */
  readonly widths: readonly number[];
  /** `[piece]`: the width of the blanks behind it. */
  readonly blanks: readonly number[];
  /** `[piece]`: where its clusters end in `clusters`. */
  readonly clusterEnds: readonly number[];
  /** The widths of all clusters, in order. */
  readonly clusters: readonly number[];
  /** Width on one line. */
  readonly width: number;
  /** Width of the widest piece. */
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
  const widths: number[] = [];
  const blanks: number[] = [];
  const clusterEnds: number[] = [];
  const clusters: number[] = [];
  let piece = 0;
  let blank = 0;
  let width = 0;
  let widest = 0;
  const endPiece = () => {
    widths.push(piece);
    blanks.push(blank);
    clusterEnds.push(clusters.length);
    width += piece + blank;
    if (piece > widest) widest = piece;
    piece = 0;
    blank = 0;
  };
  for (let index = 0; index < text.length; index++) {
    let code = text.charCodeAt(index);
    if (code >= 0xd800 && code <= 0xdbff) code = text.codePointAt(index++) ?? code;
    if (code === 0x20 || code === 0x09) {
      blank += code === 0x09 ? tabWidth : glyphWidth(code);
      continue;
    }
    const advance = glyphWidth(code);
    if (advance <= markWidth && blank === 0 && clusters.length > 0) {
      clusters[clusters.length - 1] = (clusters.at(-1) ?? 0) + advance;
      if (piece > 0) {
        piece += advance;
      } else {
        // Its base has ended its piece already.
        widths[widths.length - 1] = (widths.at(-1) ?? 0) + advance;
        width += advance;
        widest = Math.max(widest, widths.at(-1) ?? 0);
      }
      continue;
    }
    if (blank > 0 || (piece > 0 && isWide(code))) endPiece();
    piece += advance;
    clusters.push(advance);
    // A hyphen stays on its line.
    if (code === 0x2d || isWide(code)) endPiece();
  }
  if (piece > 0 || blank > 0) endPiece();
  return { widths, blanks, clusterEnds, clusters, width, widest };
}

/**
 * The lines that a measured text takes at a width (em / 1000), one at least. A piece wider than a line begins on a line
 * of its own and is cut between clusters; a cluster wider than a line stands alone on it, and the blanks behind it on
 * the next, as LibreOffice sets them. Blanks else hang over the end of their line.
 */
export function countLines(text: MeasuredText, lineWidth: number): number {
  if (text.width <= lineWidth) return 1;
  let lines = 1;
  let used = 0;
  for (let index = 0; index < text.widths.length; index++) {
    const piece = text.widths[index] ?? 0;
    const blank = text.blanks[index] ?? 0;
    if (used > 0 && used + piece > lineWidth) {
      lines++;
      used = 0;
    }
    if (piece > lineWidth) {
      const end = text.clusterEnds[index] ?? 0;
      for (let at = text.clusterEnds[index - 1] ?? 0; at < end; at++) {
        const cluster = text.clusters[at] ?? 0;
        if (used > 0 && used + cluster > lineWidth) {
          lines++;
          used = 0;
        }
        used += cluster;
      }
      if (used > lineWidth && blank > 0) {
        lines++;
        used = 0;
      }
    } else {
      used += piece;
    }
    used += blank;
  }
  return lines;
}
