import type { Align, Table } from '../../../domain/documents/common.ts';
import { alignOf, formatValue } from '../../../domain/documents/format-value.ts';
import type { Look, Typesetter } from '../../fonts/typesetter.ts';
import { bold, regular } from '../rich-text.ts';
import { theme } from '../theme.ts';

/** A table measured for a page: what its cells show and how wide its columns are. */
export interface MeasuredTable {
  readonly headers: readonly string[];
  /** `cells[row][column]`, as shown. */
  readonly cells: readonly (readonly string[])[];
  readonly aligns: readonly Align[];
  /** Points; they fill the width. */
  readonly widths: readonly number[];
  /** Points. */
  readonly size: number;
  readonly paddingX: number;
}

/** Text beyond this does not make a column wider: it wraps. Points at the table's full size. */
const naturalWidthMax = 230;
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
  const { size: fullSize, sizeMin, paddingX } = theme.table;
  const headers = table.columns.map((column) => column.header.replace(/\s+/g, ' ').trim());
  const cells = table.rows.map((row) =>
    table.columns.map((column, index) => formatValue(row[index] ?? null, column.format)),
  );
  const demands = table.columns.map((column, index) =>
    column.width === undefined
      ? demandOf(headers[index] ?? '', cells, index, typesetter)
      : { natural: column.width * characterWidth, word: column.width * characterWidth },
  );
  const words = demands.reduce((sum, { word }) => sum + word, 0);
  const paddings = 2 * paddingX * demands.length;
  const size = Math.max(sizeMin, Math.min(fullSize, (width - paddings) / Math.max(words, 1e-6)));
  const scaledPadding = Math.min(paddingX, (paddingX * size) / fullSize, width / demands.length / 6);
  return {
    headers,
    cells,
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
): Demand {
  const demand: Demand = { natural: 0, word: 0 };
  widen(demand, header, bold, typesetter);
  for (const row of cells) widen(demand, row[column] ?? '', regular, typesetter);
  return demand;
}

function widen(demand: Demand, text: string, look: Look, typesetter: Typesetter): void {
  if (text === '') return;
  const { size } = theme.table;
  // A sign is never wider than about an em: a short text cannot widen a column that is already wide.
  if (text.length * 1.2 < demand.word) return;
  const sample = text.slice(0, measuredCharsMax);
  const natural = Math.min(typesetter.measure(sample, look) / 1000, naturalWidthMax / size);
  if (natural > demand.natural) demand.natural = natural;
  if (natural <= demand.word) return;
  const wordMax = wordWidthMax / size;
  for (const word of sample.split(/[\s\u3000-\u9fff\uac00-\ud7af]+/)) {
    if (word.length * 1.2 < demand.word) continue;
    demand.word = Math.max(demand.word, Math.min(wordMax, typesetter.measure(word, look) / 1000));
  }
}

/** Gives every column its longest word, then shares what is left by what the columns still ask for. */
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
  const share = (width - leastSum) / (naturalSum - leastSum);
  return least.map((part, index) => part + ((natural[index] ?? part) - part) * share);
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
