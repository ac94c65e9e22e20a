import type { CellValue } from '../../domain/documents/common.ts';
import type { FormulaType } from '../../domain/documents/workbook-spec.ts';

/** What a spreadsheet shows for a formula: a number or an error value. */
export type FormulaResult = number | { readonly error: '#DIV/0!' | '#NUM!' };

/**
 * Returns what the spreadsheet function gives over a range of cells: as in a range reference, text, booleans and
 * empty cells do not count (COUNTA counts all that is not empty). ECMA-376 Part 1, 18.17.7.
 */
export function formulaResult(type: FormulaType, cells: readonly CellValue[]): FormulaResult {
  if (type === 'COUNTA') return cells.reduce<number>((count, cell) => (cell === null ? count : count + 1), 0);
  const numbers = cells.filter((cell) => typeof cell === 'number');
  const result = compute(type, numbers);
  return typeof result === 'number' && !Number.isFinite(result) ? { error: '#NUM!' } : result;
}

function compute(type: Exclude<FormulaType, 'COUNTA'>, numbers: readonly number[]): FormulaResult {
  const count = numbers.length;
  switch (type) {
    case 'COUNT':
      return count;
    case 'SUM':
      return sum(numbers);
    case 'AVERAGE':
      return count === 0 ? { error: '#DIV/0!' } : sum(numbers) / count;
    case 'MIN':
      return count === 0 ? 0 : numbers.reduce((least, value) => Math.min(least, value));
    case 'MAX':
      return count === 0 ? 0 : numbers.reduce((most, value) => Math.max(most, value));
    case 'PRODUCT':
      return count === 0 ? 0 : numbers.reduce((product, value) => product * value, 1);
    case 'MEDIAN':
      return median(numbers);
    case 'VAR':
      return variance(numbers);
    case 'STDEV': {
      const square = variance(numbers);
      return typeof square === 'number' ? Math.sqrt(square) : square;
    }
  }
}

function median(numbers: readonly number[]): FormulaResult {
  if (numbers.length === 0) return { error: '#NUM!' };
  const sorted = Float64Array.from(numbers).sort();
  const middle = sorted.length >> 1;
  const upper = sorted[middle] as number;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] as number) + upper) / 2;
}

/** Of a sample: divided by one less than the count. */
function variance(numbers: readonly number[]): FormulaResult {
  if (numbers.length < 2) return { error: '#DIV/0!' };
  const mean = sum(numbers) / numbers.length;
  return sum(numbers.map((value) => (value - mean) ** 2)) / (numbers.length - 1);
}

/** Neumaier's sum: the rounding errors are added up apart, so that long columns of cents come out exact. */
function sum(numbers: readonly number[]): number {
  let total = 0;
  let lost = 0;
  for (const value of numbers) {
    const next = total + value;
    lost += Math.abs(total) >= Math.abs(value) ? total - next + value : value - next + total;
    total = next;
  }
  return Number.isFinite(lost) ? total + lost : total;
}
