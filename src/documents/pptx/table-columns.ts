import type { DeckTable } from '../../domain/documents/deck-spec.ts';
import { measureText, splitParagraphs } from './text-lines.ts';

/** The text that a cell shows. */
export type ShownRows = readonly (readonly string[])[];

/** What a table's columns need, em / 1000 of the font size. */
export interface ColumnNeed {
  /** Every line of every cell unbroken. */
  readonly natural: number;
  /** No word broken. */
  readonly least: number;
}

/** Measures each column of a table: its header (in bold) and all of its cells. */
export function measureColumns(
  table: DeckTable,
  rows: ShownRows,
  columnCount: number,
): readonly ColumnNeed[] {
  return Array.from({ length: columnCount }, (_, column) => {
    let natural = 0;
    let least = 0;
    const consider = (text: string, factor: number) => {
      for (const line of splitParagraphs(text)) {
        const { width, widest } = measureText(line);
        natural = Math.max(natural, width * factor);
        least = Math.max(least, widest * factor);
      }
    };
    consider(table.columns?.[column]?.header ?? '', boldFactor);
    for (const [index, row] of rows.entries()) {
      consider(row[column] ?? '', table.rows[index]?.[column]?.bold === true ? boldFactor : 1);
    }
    return { natural, least };
  });
}

/** Fonts that stand in for Arial run wider. */
export const widthReserve = 1.08;

/** How much wider bold text runs. */
export const boldFactor = 1.08;

/**
 * Divides a table's width among its columns, inches: by the spec's relative widths where it gives them, else by
 * content, so that short columns keep their lines whole and long ones wrap.
 */
export function divideWidth(
  table: DeckTable,
  needs: readonly ColumnNeed[],
  room: { readonly width: number; readonly fontSize: number; readonly padding: number },
): readonly number[] {
  const inches = (need: number) => (need / 1_000) * (room.fontSize / 72) * widthReserve + room.padding;
  const natural = needs.map((need) => inches(need.natural));
  const weights = table.columns?.map((column) => column.width);
  if (weights?.some((weight) => weight !== undefined && weight > 0)) {
    return shareOut(weightsOf(weights, natural), room.width);
  }
  const total = sum(natural);
  if (total <= room.width) return shareOut(natural, room.width);
  const least = needs.map((need, index) => Math.min(inches(need.least), natural[index] ?? 0));
  return squeeze(natural, least, room.width);
}

/** Columns without a weight get one by their content, on the scale of those that have one. */
function weightsOf(weights: readonly (number | undefined)[], natural: readonly number[]): readonly number[] {
  const given = weights.filter((weight): weight is number => weight !== undefined && weight > 0);
  const mean = sum(given) / given.length;
  const naturalMean = sum(natural) / natural.length || 1;
  return natural.map((width, index) => {
    const weight = weights[index];
    return weight !== undefined && weight > 0 ? weight : mean * Math.max(0.3, width / naturalMean);
  });
}

/**
 * Takes from the widest columns first: those narrower than an equal share of what is left keep their width whole,
 * and the others share the rest, none below its longest word while there is room for all of those.
 */
function squeeze(natural: readonly number[], least: readonly number[], width: number): readonly number[] {
  const order = natural.map((_, index) => index).sort((a, b) => (natural[a] ?? 0) - (natural[b] ?? 0));
  const widths = new Array<number>(natural.length).fill(0);
  let left = width;
  let columns = natural.length;
  for (const index of order) {
    const granted = Math.min(natural[index] ?? 0, left / columns);
    widths[index] = granted;
    left -= granted;
    columns--;
  }
  if (sum(least) > width) return shareOut(widths, width);
  const missing = widths.map((granted, index) => Math.max(0, (least[index] ?? 0) - granted));
  const spare = widths.map((granted, index) => Math.max(0, granted - (least[index] ?? 0)));
  const rate = sum(spare) > 0 ? sum(missing) / sum(spare) : 0;
  const even = widths.map((granted, index) => granted + (missing[index] ?? 0) - (spare[index] ?? 0) * rate);
  return shareOut(even, width);
}

function shareOut(weights: readonly number[], width: number): readonly number[] {
  const total = sum(weights);
  return weights.map((weight) => (total > 0 ? (weight / total) * width : width / weights.length));
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
