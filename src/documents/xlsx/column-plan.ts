import type { Align, CellValue, ColumnFormat } from '../../domain/documents/common.ts';
import type { WorkbookColumn } from '../../domain/documents/workbook-spec.ts';
import { displayedValue, isDateCode } from '../ooxml/displayed-value.ts';
import { excelDate, excelTime } from '../ooxml/excel-date.ts';
import { booleanFormatCode, numberFormatCode } from '../ooxml/number-format.ts';
import { sheetText } from './sheet-text.ts';
import { textWidth } from './text-width.ts';

/** How a column is written, once its cells have been seen. */
export interface ColumnPlan {
  readonly header: string;
  readonly format: ColumnFormat | undefined;
  /** Excel number format code, `General` without a format. */
  readonly formatCode: string;
  readonly align: Align;
  readonly wrap: boolean;
  /** Characters that the widest value shows. */
  readonly contentWidth: number;
  /** Width asked for by the spec. */
  readonly width: number | undefined;
  /** Whether its values are amounts that a chart can draw; dates are not. */
  readonly numeric: boolean;
  readonly isDate: boolean;
  /** Whether some of its text would read as a number, of which spreadsheets warn. */
  readonly hasNumberLikeText: boolean;
}

const wrapWidth = 60;
/** Wednesday, 27 September 2000, 22:58:58: no date takes more room. */
const widestDay = 36_796.957_615_74;
const numberLike = /^\s*[+-]?[\d.,]+%?\s*$/;

/**
 * Returns the values of one column as cells hold them, and how the column is written. Dates become day numbers,
 * empty text an empty cell; text that is no date stays text.
 */
export function planColumn(
  column: WorkbookColumn,
  values: readonly CellValue[],
): { plan: ColumnPlan; cells: CellValue[] } {
  const { format } = column;
  const formatCode = format === undefined ? 'General' : numberFormatCode(format);
  const isDate = format?.kind === 'custom' ? isDateCode(format.code) : isDateKind(format?.kind);
  const convert = converter(format, isDate);
  const seen = { numbers: 0, texts: 0, booleans: 0, min: Infinity, max: -Infinity, text: 0, general: 0 };
  let newlines = false;
  let hasNumberLikeText = false;
  const cells = values.map((value) => {
    if (value === null || value === '') return null;
    const cell = convert(value);
    if (typeof cell === 'number') {
      seen.numbers++;
      if (cell < seen.min) seen.min = cell;
      if (cell > seen.max) seen.max = cell;
      if (formatCode === 'General') seen.general = Math.max(seen.general, String(cell).length);
    } else if (typeof cell === 'boolean') {
      seen.booleans++;
    } else {
      seen.texts++;
      if (cell.length * 2 > seen.text) seen.text = Math.max(seen.text, textWidth(cell));
      newlines ||= cell.includes('\n');
      hasNumberLikeText ||= cell.length < 40 && numberLike.test(cell);
    }
    return cell;
  });
  const shown = isDate ? [widestDay] : [seen.min, seen.max];
  const numberWidth =
    seen.numbers === 0
      ? 0
      : Math.max(
          Math.min(seen.general, 12),
          ...shown.map((value) => textWidth(displayedValue(value, formatCode))),
        );
  const onlyBooleans = seen.booleans > 0 && seen.numbers === 0 && formatCode === 'General';
  const onlyNumbersSeen = seen.numbers > 0 && seen.numbers >= seen.texts + seen.booleans;
  const numeric = !isDate && (isNumberKind(format?.kind) ? seen.texts <= seen.numbers : onlyNumbersSeen);
  return {
    cells,
    plan: {
      header: sheetText(column.header),
      format,
      formatCode: onlyBooleans ? booleanFormatCode : formatCode,
      align: column.align ?? defaultAlign(numeric, isDate, seen.booleans > seen.texts + seen.numbers),
      wrap: newlines || seen.text > wrapWidth,
      contentWidth: Math.max(numberWidth, seen.text, seen.booleans > 0 ? 5 : 0),
      width: column.width,
      numeric,
      isDate,
      hasNumberLikeText,
    },
  };
}

function isDateKind(kind: ColumnFormat['kind'] | undefined): boolean {
  return kind === 'date' || kind === 'datetime' || kind === 'time';
}

function isNumberKind(kind: ColumnFormat['kind'] | undefined): boolean {
  return kind === 'number' || kind === 'integer' || kind === 'currency' || kind === 'percent';
}

function converter(format: ColumnFormat | undefined, isDate: boolean) {
  return (value: string | number | boolean): string | number | boolean => {
    if (typeof value === 'boolean') return value;
    if (isDate) {
      const time = format?.kind !== 'date' && typeof value === 'string' ? excelTime(value) : undefined;
      return time ?? excelDate(value) ?? sheetText(String(value));
    }
    if (typeof value === 'string') return sheetText(value);
    return format?.kind === 'text' ? String(value) : value;
  };
}

function defaultAlign(numeric: boolean, isDate: boolean, isBoolean: boolean): Align {
  if (numeric) return 'right';
  return isDate || isBoolean ? 'center' : 'left';
}
