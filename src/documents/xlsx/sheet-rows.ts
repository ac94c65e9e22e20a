import type { CellValue } from '../../domain/documents/common.ts';
import { columnName } from '../ooxml/cell-reference.ts';
import { escapeText, type SharedStrings } from './shared-strings.ts';
import type { SheetPlan, TotalsPlan } from './sheet-plan.ts';

/** The style ids that exceljs gave to each kind of row, by column. */
export interface RowStyleIds {
  readonly title: readonly number[];
  readonly header: readonly number[];
  readonly odd: readonly number[];
  readonly even: readonly number[];
  readonly totals: readonly (readonly number[])[];
}

const rowsPerChunk = 1_000;

/**
 * Yields the content of `sheetData` in pieces of about 1,000 rows, as exceljs would write the same cells.
 * Texts go into `strings` in the order of the cells.
 */
export function* sheetRows(
  plan: SheetPlan,
  ids: RowStyleIds,
  heights: ReadonlyMap<number, number>,
  strings: SharedStrings,
): Generator<Buffer> {
  const width = plan.columns.length;
  const starts = plan.columns.map((_, index) => `<c r="${columnName(index)}`);
  const open = (row: number) => {
    const height = heights.get(row);
    const size = height === undefined ? '' : ` ht="${height}" customHeight="1"`;
    return `<row r="${row}"${size} spans="1:${width}" x14ac:dyDescent="0.25">`;
  };
  const cell = (row: number, column: number, style: number, value: CellValue): string => {
    const head = `${starts[column]}${row}"${style === 0 ? '' : ` s="${style}"`}`;
    switch (typeof value) {
      case 'number':
        return `${head}><v>${value}</v></c>`;
      case 'string':
        return `${head} t="s"><v>${strings.add(value)}</v></c>`;
      case 'boolean':
        return `${head} t="b"><v>${value ? 1 : 0}</v></c>`;
      default:
        return style === 0 ? '' : `${head}/>`;
    }
  };
  const line = (row: number, styles: readonly number[], values: readonly CellValue[]): string => {
    let xml = open(row);
    for (let column = 0; column < width; column++) {
      xml += cell(row, column, styles[column] ?? 0, values[column] ?? null);
    }
    return `${xml}</row>`;
  };

  let chunk = '';
  const spacerRow = plan.headerRow - 1;
  if (plan.logoRow !== undefined) chunk += emptyRow(plan.logoRow, heights);
  if (plan.titleRow !== undefined) chunk += line(plan.titleRow, ids.title, [plan.title ?? null]);
  if (spacerRow > 0) chunk += emptyRow(spacerRow, heights);
  chunk += line(
    plan.headerRow,
    ids.header,
    plan.columns.map(({ header }) => (header === '' ? null : header)),
  );
  for (const [index, values] of plan.cells.entries()) {
    chunk += line(plan.firstRow + index, index % 2 === 0 ? ids.odd : ids.even, values);
    if (index % rowsPerChunk === rowsPerChunk - 1) {
      yield Buffer.from(chunk, 'utf8');
      chunk = '';
    }
  }
  for (const [index, total] of plan.totals.entries()) {
    const styles = ids.totals[index] ?? [];
    chunk += open(total.row);
    for (let column = 0; column < width; column++) {
      chunk += totalCell(total, column, styles[column] ?? 0);
    }
    chunk += '</row>';
  }
  yield Buffer.from(chunk, 'utf8');

  function totalCell(total: TotalsPlan, column: number, style: number): string {
    const formula = total.cells.get(column);
    if (formula === undefined) {
      return cell(
        total.row,
        column,
        style,
        column === total.labelColumn && total.label !== '' ? total.label : null,
      );
    }
    const { result } = formula;
    const failed = typeof result === 'object';
    return (
      `${starts[column]}${total.row}"${style === 0 ? '' : ` s="${style}"`}${failed ? ' t="e"' : ''}>` +
      `<f>${escapeText(formula.formula)}</f><v>${failed ? result.error : result}</v></c>`
    );
  }
}

function emptyRow(row: number, heights: ReadonlyMap<number, number>): string {
  return `<row r="${row}" ht="${heights.get(row)}" customHeight="1" x14ac:dyDescent="0.25"/>`;
}
