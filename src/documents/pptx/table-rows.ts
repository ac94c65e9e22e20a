import { boldFactor, widthReserve } from './table-columns.ts';
import { countLines, measureText, splitParagraphs } from './text-lines.ts';

/** Inches from a cell's upper and lower edge to its text. */
export const verticalPadding = 0.04;

/** Line pitch times the font size: as high as that of the tallest font that stands in for Arial (Noto Sans). */
const lineHeight = 1.36;

/** Points that no row goes below, however long its texts are. */
const fontSizeMin = 1;

/** The columns that a row's texts wrap in. */
export interface CellRoom {
  /** Inches, the padding taken off. */
  readonly widths: readonly number[];
  /** Points. */
  readonly fontSize: number;
}

/** A row's height, inches, and the font size that it needs to be no higher than a page, points. */
export interface RowSize {
  readonly height: number;
  readonly fontSize: number;
}

/** Sizes a row: at the table's font size, smaller only where it would be higher than `heightMax` inches. */
export function sizeRow(texts: readonly string[], room: CellRoom, bold: boolean, heightMax: number): RowSize {
  const factor = (bold ? boldFactor : 1) * widthReserve;
  if (texts.every((text, column) => isOneLine(text, lineWidth(room, column, room.fontSize * factor)))) {
    return { height: heightOf(1, room.fontSize), fontSize: room.fontSize };
  }
  const measured = texts.map((text) => splitParagraphs(text).map(measureText));
  const heightAt = (fontSize: number) => {
    let most = 1;
    for (const [column, paragraphs] of measured.entries()) {
      const width = lineWidth(room, column, fontSize * factor);
      let lines = 0;
      for (const paragraph of paragraphs) lines += countLines(paragraph, width);
      if (lines > most) most = lines;
    }
    return heightOf(most, fontSize);
  };
  const height = heightAt(room.fontSize);
  if (height <= heightMax) return { height, fontSize: room.fontSize };
  let low = Math.min(fontSizeMin, room.fontSize);
  let high = room.fontSize;
  for (let step = 0; step < 8; step++) {
    const middle = (low + high) / 2;
    if (heightAt(middle) <= heightMax) low = middle;
    else high = middle;
  }
  return { height: heightAt(low), fontSize: low };
}

/** Most cells are one short line, which needs no measuring: hardly a glyph is wider than its em. */
function isOneLine(text: string, width: number): boolean {
  return text.length * 1_000 <= width && !text.includes('\n');
}

function lineWidth(room: CellRoom, column: number, points: number): number {
  return ((room.widths[column] ?? 0) * 72 * 1_000) / points;
}

function heightOf(lines: number, fontSize: number): number {
  return lines * (fontSize / 72) * lineHeight + 2 * verticalPadding;
}
