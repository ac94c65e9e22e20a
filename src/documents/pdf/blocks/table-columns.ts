import type { Align, Table } from '../../../domain/documents/common.ts';
import { alignOf, formatValue } from '../../../domain/documents/format-value.ts';
import { type Look, measurePlain, type Typesetter } from '../../fonts/typesetter.ts';
import { bold, regular } from '../rich-text.ts';
import { theme } from '../theme.ts';

/** A table measured for a page: what its cells show and how wide its columns are. */
export interface MeasuredTable {
  readonly headers: readonly string[];
  /** `cells[row][column]`, as shown. */
  readonly cells: readonly (readonly string[])[];
  /**
   * Widths of the cells in ems of the text face, row after row; NaN where a cell is not one line of plain letters.
   */
  readonly ems: Float64Array;
  readonly aligns: readonly Align[];
  /** Points; they fill the width. */
  readonly widths: readonly number[];
  /** Points. */
  readonly size: number;
  readonly paddingX: number;
}

/** A text never asks for more than a page is wide. Points at the table's full size. */
const naturalWidthMax = 700;
/** Cells up to this width, in ems, do not break. */
const shortCellEms = 6;
/** Longer words may break. */
const wordWidthMax = 96;
/** Characters of a cell that are measured for its column's width. */
const measuredCharsMax = 400;
/** A digit's width, for columns whose width is given in characters, as spreadsheets count them. */
const characterWidth = 0.572;

/** The widths that a column's content asks for, in ems: all of it on one line, and its longest word. */
interface Demand {
  natural: number;
  word: number;
}

/** Formats a table's cells and shares the width among its columns by their content. */
export function measureTable(table: Table, width: number, typesetter: Typesetter): MeasuredTable {
  const { size: fullSize, sizeMin, paddingX, paddingMin } = theme.table;
  const headers = table.columns.map((column) => column.header.replace(/\s+/g, ' ').trim());
  const cells = table.rows.map((row) =>
    table.columns.map((column, index) => formatValue(row[index] ?? null, column.format)),
  );
  const ems = new Float64Array(cells.length * table.columns.length).fill(Number.NaN);
  const demands = table.columns.map((column, index) => {
    const demand = demandOf(headers[index] ?? '', cells, index, typesetter, ems);
    if (column.width === undefined) return demand;
    return { natural: column.width * characterWidth, word: column.width * characterWidth };
  });
  const words = demands.reduce((sum, { word }) => sum + word, 0);
  // Letters and the room beside them shrink alike, down to a size that is still read; then only the room does.
  const fullWidth = words * fullSize + 2 * paddingX * demands.length;
  const size = Math.max(sizeMin, Math.min(fullSize, (fullSize * width) / fullWidth));
  const room = (width - words * size) / (2 * demands.length);
  const scaledPadding = Math.min((paddingX * size) / fullSize, Math.max(paddingMin, room));
  return {
    headers,
    cells,
    ems,
    aligns: table.columns.map((_, index) => alignOf(table, index)),
    widths: shareWidth(demands, width, size, scaledPadding),
    size,
    paddingX: scaledPadding,
  };
}

/** The width that a table's longest words ask for at its full size, in points. */
export function wantedWidth(table: Table, typesetter: Typesetter): number {
  const { size, paddingX } = theme.table;
  return table.columns.reduce((sum, column, index) => {
    const sample = table.rows.slice(0, 60).map((row) => [formatValue(row[index] ?? null, column.format)]);
    const demand =
      column.width === undefined
        ? demandOf(column.header, sample, 0, typesetter).word
        : column.width * characterWidth;
    return sum + demand * size + 2 * paddingX;
  }, 0);
}

function demandOf(
  header: string,
  cells: readonly (readonly string[])[],
  column: number,
  typesetter: Typesetter,
  ems?: Float64Array,
): Demand {
  const demand: Demand = { natural: 0, word: 0 };
  widen(demand, header, bold, typesetter);
  for (let index = 0; index < cells.length; index++) {
    const row = cells[index] ?? [];
    const text = row[column] ?? '';
    const plain = text === '' || text.length > plainCharsMax ? undefined : measurePlain(text, regular);
    if (ems !== undefined && plain !== undefined) ems[index * row.length + column] = plain / 1000;
    widen(demand, text, regular, typesetter, plain);
  }
  return demand;
}

/** Longer cells are laid out: none of them fits on one line. */
const plainCharsMax = 300;

/** Widens a demand by a text, whose width in thousandths of an em may be known. */
function widen(demand: Demand, text: string, look: Look, typesetter: Typesetter, known?: number): void {
  if (text === '') return;
  const { size } = theme.table;
  const sample = text.length > measuredCharsMax ? text.slice(0, measuredCharsMax) : text;
  const width = (known ?? typesetter.measure(sample, look)) / 1000;
  const natural = Math.min(width, naturalWidthMax / size);
  if (natural > demand.natural) demand.natural = natural;
  if (natural <= demand.word) return;
  // A short cell such as a name and a number stays on one line like a word.
  if (look === regular && natural <= shortCellEms) {
    demand.word = natural;
    return;
  }
  const wordMax = wordWidthMax / size;
  for (const word of sample.split(/[\s\u3000-\u9fff\uac00-\ud7af]+/)) {
    // A sign is never wider than about an em: a short word cannot widen a column that is already wide.
    if (word.length * 1.2 < demand.word) continue;
    demand.word = Math.max(demand.word, Math.min(wordMax, typesetter.measure(word, look) / 1000));
  }
}

/**
 * Gives every column its longest word at least. When there is room, columns grow beyond their content; when there
 * is too little, only the widest ones are cut, all to one width, so that short columns stay on one line.
 */
function shareWidth(demands: readonly Demand[], width: number, size: number, paddingX: number): number[] {
  const least = demands.map(({ word }) => word * size + 2 * paddingX);
  const natural = demands.map(({ natural: ems }) => ems * size + 2 * paddingX);
  const leastSum = sum(least);
  const naturalSum = sum(natural);
  if (leastSum >= width) return least.map((part) => (part * width) / leastSum);
  if (naturalSum <= width) {
    // Half of the room that is left goes to all columns alike, half by their width: a column of two digits
    // beside one of long names stands neither squeezed nor lost.
    const rest = width - naturalSum;
    return natural.map((part) => part + rest / 2 / natural.length + (rest / 2) * (part / naturalSum));
  }
  const widthsAt = (level: number) =>
    least.map((part, index) => Math.max(part, Math.min(natural[index] ?? part, level)));
  let low = 0;
  let high = width;
  for (let step = 0; step < 40; step++) {
    const level = (low + high) / 2;
    if (sum(widthsAt(level)) > width) high = level;
    else low = level;
  }
  return widthsAt(low);
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
