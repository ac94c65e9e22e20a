import type { Table } from '../../domain/documents/common.ts';
import { formatValue } from '../../domain/documents/format-value.ts';

/** What a column's content asks for, in ems of its font. */
export interface ColumnNeed {
  /** Of the longest word: below this, words break. */
  readonly min: number;
  /** Of the longest line, up to a cap: above this, nothing is gained. */
  readonly max: number;
}

const rowsMeasured = 300;
/** Longer words may break; longer cells wrap. */
const wordEmsMax = 12;
const lineEmsMax = 30;
const columnTwipsMin = 300;
const wide =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe4f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]/u;

/** Measures header and cells, of long tables an even sample of rows. */
export function columnNeeds(table: Table): ColumnNeed[] {
  const step = Math.max(1, Math.floor(table.rows.length / rowsMeasured));
  return table.columns.map((column, index) => {
    let { min, max } = measure(column.header, 1.08);
    for (let row = 0; row < table.rows.length; row += step) {
      const cell = measure(formatValue(table.rows[row]?.[index] ?? null, column.format), 1);
      min = Math.max(min, cell.min);
      max = Math.max(max, cell.max);
    }
    return { min: Math.max(min, 1), max: Math.max(min, max, 1) };
  });
}

/**
 * Shares `available` among the columns so that no word breaks while room lasts and long cells get the rest; columns
 * with a width of their own get their share of it. Whole twips, of the sum `available`.
 *
 * Source: the automatic table layout of CSS 2.2, 17.5.2.2.
 */
export function columnWidths(
  table: Table,
  needs: readonly ColumnNeed[],
  available: number,
  emTwips: number,
  paddingTwips: number,
): number[] {
  const byContent = shareByContent(
    needs.map(({ min, max }) => ({ min: min * emTwips + paddingTwips, max: max * emTwips + paddingTwips })),
    available,
  );
  const given = table.columns.map((column) => column.width);
  const largest = Math.max(...given.filter((width) => width !== undefined));
  if (!(largest > 0)) return wholeShares(byContent, available);
  // Against the largest, so that the sum of huge widths stays finite.
  const scaled = given.map((width) => (width === undefined ? undefined : Math.max(width, 0) / largest));
  const meanGiven = mean(scaled.filter((width) => width !== undefined));
  const meanContent = mean(byContent.filter((_, index) => scaled[index] === undefined));
  const weights = scaled.map((width, index) => width ?? ((byContent[index] ?? 0) / meanContent) * meanGiven);
  return wholeShares(weights, available);
}

/** Room that a table needs so that no word breaks, in twips. */
export function minimalWidth(needs: readonly ColumnNeed[], emTwips: number, paddingTwips: number): number {
  return sum(needs.map(({ min }) => min * emTwips + paddingTwips));
}

/** Ems of the longest word and of the longest line, by classes of characters. */
function measure(text: string, factor: number): ColumnNeed {
  let word = 0;
  let line = 0;
  let min = 0;
  let max = 0;
  for (const character of text) {
    if (max >= lineEmsMax && min >= wordEmsMax) break;
    if (character === '\n') {
      word = 0;
      line = 0;
      continue;
    }
    const ems = emsOf(character) * factor;
    line += ems;
    const breaks = character === ' ' || character === '-' || ems >= 1;
    word = breaks ? ems : word + ems;
    min = Math.max(min, Math.min(word, wordEmsMax));
    max = Math.max(max, Math.min(line, lineEmsMax));
  }
  return { min, max };
}

/** Of the widest sans-serif fonts that stand in for the document's own where that is missing. */
function emsOf(character: string): number {
  if (character >= 'a' && character <= 'z') return character === 'm' || character === 'w' ? 0.88 : 0.58;
  if (character >= '0' && character <= '9') return 0.6;
  if (character === ' ' || character === '.' || character === ',' || character === ':') return 0.28;
  if (character >= 'A' && character <= 'Z') return character === 'M' || character === 'W' ? 0.92 : 0.68;
  return wide.test(character) ? 1 : 0.65;
}

function shareByContent(needs: readonly ColumnNeed[], available: number): number[] {
  const minSum = sum(needs.map(({ min }) => min));
  const maxSum = sum(needs.map(({ max }) => max));
  if (minSum >= available) return needs.map(({ min }) => (min * available) / minSum);
  if (maxSum <= available) return needs.map(({ max }) => (max * available) / maxSum);
  const spare = (available - minSum) / (maxSum - minSum);
  return needs.map(({ min, max }) => min + (max - min) * spare);
}

/** Turns weights into whole twips that add up to `available`; no column gets less than room for a character. */
function wholeShares(weights: readonly number[], available: number): number[] {
  const floor = Math.min(columnTwipsMin, available / weights.length);
  const total = sum(weights);
  const raised = weights.map((weight) => Math.max((weight / total) * available, floor));
  const over = sum(raised) - available;
  const spare = sum(raised.map((width) => width - floor));
  let exact = 0;
  let taken = 0;
  return raised.map((width, index) => {
    exact += width - (spare > 0 ? ((width - floor) / spare) * over : 0);
    const end = index === raised.length - 1 ? available : Math.round(exact);
    const whole = end - taken;
    taken = end;
    return whole;
  });
}

function mean(values: readonly number[]): number {
  return values.length === 0 ? 1 : sum(values) / values.length;
}

function sum(values: readonly number[]): number {
  let total = 0;
  for (const value of values) total += value;
  return total;
}
