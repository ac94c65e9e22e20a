import type { Align, CellValue, ColumnFormat, Table } from './common.ts';
import { compileFormatCode } from './format-code.ts';
import { formatDate, formatDateTime, formatTime, parseInstant } from './format-date.ts';
import { formatFixed, formatGeneral } from './format-number.ts';

/**
 * Shows a cell as text, the same on every machine: English separators, UTC, no locale of the host.
 *
 * Null is empty. A value that a format cannot show (text in a number column, text that is no date) is shown as
 * it is, so that nothing a caller sent is lost. Numbers without a format keep their digits, without separators.
 */
export function formatValue(value: CellValue, format: ColumnFormat | undefined): string {
  if (value === null) return '';
  switch (format?.kind) {
    case 'number':
      return typeof value === 'number' ? formatFixed(value, 2) : plain(value);
    case 'integer':
      return typeof value === 'number' ? formatFixed(value, 0) : plain(value);
    case 'percent':
      return typeof value === 'number' ? `${formatFixed(value * 100, 1)}%` : plain(value);
    case 'currency':
      return typeof value === 'number' ? formatCurrency(value, format.currency) : plain(value);
    case 'date':
    case 'datetime':
    case 'time':
      return formatMoment(value, format.kind);
    case 'boolean':
      return formatBoolean(value);
    case 'custom':
      return compileFormatCode(format.code)(value);
    default:
      return plain(value);
  }
}

/** Where a column's cells stand: as its spec says, else right when it holds numbers and nothing else. */
export function alignOf(table: Table, columnIndex: number): Align {
  const column = table.columns[columnIndex];
  if (column?.align !== undefined) return column.align;
  return isNumericColumn(table, columnIndex) ? 'right' : 'left';
}

/** Whether a column is one of numbers: by its format, else by all of its values (nulls aside, one at least). */
export function isNumericColumn(table: Table, columnIndex: number): boolean {
  switch (table.columns[columnIndex]?.format?.kind) {
    case 'number':
    case 'integer':
    case 'percent':
    case 'currency':
      return true;
    case 'text':
    case 'date':
    case 'datetime':
    case 'time':
    case 'boolean':
      return false;
  }
  let numbers = 0;
  for (const row of table.rows) {
    const value = row[columnIndex] ?? null;
    if (value === null || value === '') continue;
    if (typeof value !== 'number') return false;
    numbers += 1;
  }
  return numbers > 0;
}

function plain(value: string | number | boolean): string {
  if (typeof value === 'number') return formatGeneral(value);
  return typeof value === 'boolean' ? formatBoolean(value) : value;
}

function formatBoolean(value: string | number | boolean): string {
  if (value === true || value === 1 || value === 'true') return 'Yes';
  if (value === false || value === 0 || value === 'false') return 'No';
  return String(value);
}

function formatMoment(value: string | number | boolean, kind: 'date' | 'datetime' | 'time'): string {
  const instant = typeof value === 'boolean' ? undefined : parseInstant(value);
  if (instant === undefined) return plain(value);
  if (kind === 'date') return formatDate(instant);
  return kind === 'time' ? formatTime(instant) : formatDateTime(instant);
}

interface CurrencyShape {
  readonly prefix: string;
  readonly fractionDigits: number;
}

const currencyShapes = new Map<string, CurrencyShape>();

function formatCurrency(value: number, currency: string): string {
  let shape = currencyShapes.get(currency);
  if (shape === undefined) {
    shape = currencyShapeOf(currency);
    // The codes come from callers: without a cap, made-up ones would fill the worker's memory.
    if (currencyShapes.size < 512) currencyShapes.set(currency, shape);
  }
  const amount = formatFixed(Math.abs(value), shape.fractionDigits);
  const isZero = !/[1-9]/.test(amount);
  return `${value < 0 && !isZero ? '-' : ''}${shape.prefix}${amount}`;
}

/** The symbol and minor digits of an ISO 4217 code; an unknown code stands before the amount as it is. */
function currencyShapeOf(currency: string): CurrencyShape {
  try {
    const intl = new Intl.NumberFormat('en-US', { style: 'currency', currency });
    const symbol = intl.formatToParts(1).find((part) => part.type === 'currency')?.value ?? currency;
    const fractionDigits = intl.resolvedOptions().maximumFractionDigits ?? 2;
    return { prefix: /[A-Za-z]$/.test(symbol) ? `${symbol}\u00a0` : symbol, fractionDigits };
  } catch {
    return { prefix: `${currency}\u00a0`, fractionDigits: 2 };
  }
}
