import type { TableColumn } from '../../../gen/service/generator/v1/common_pb.ts';
import type { CellValue, Table, TableColumn as TableColumnSpec } from '../../domain/documents/common.ts';
import { parseColumnFormat } from './parse-column-format.ts';
import { parseAlign } from './parse-common.ts';
import { pathOf, pointerToken, type SpecReader } from './spec-reader.ts';

type Row = Readonly<Record<string, unknown>>;

/** Reads the table of a section; undefined when it has none. `pointer` is the section's. */
export function parseTable(
  reader: SpecReader,
  columns: readonly TableColumn[],
  rows: readonly Row[],
  pointer: string,
): Table | undefined {
  if (columns.length === 0) {
    if (rows.length > 0)
      reader.fail(`${pointer}/columns`, `${pathOf(`${pointer}/columns`)} is needed with rows`);
    return undefined;
  }
  const parsed = columns.map((column, index) => parseColumn(reader, column, `${pointer}/columns/${index}`));
  return {
    columns: parsed.map(({ column }) => column),
    rows: parseRows(
      reader,
      parsed.map(({ key }) => key),
      rows,
      `${pointer}/rows`,
    ),
  };
}

/** A column with the key under which rows hold its values. */
export function parseColumn(
  reader: SpecReader,
  { key, header, align, format, width }: TableColumn,
  pointer: string,
): { readonly key: string; readonly column: TableColumnSpec } {
  if (key === '' && header === '') reader.fail(pointer, `${pathOf(pointer)} needs a header or a key`);
  if (width !== undefined && !(width > 0 && width < 1e6))
    reader.fail(`${pointer}/width`, `${pathOf(`${pointer}/width`)} must be above 0`);
  const parsedAlign = parseAlign(reader, align, `${pointer}/align`);
  const parsedFormat = parseColumnFormat(reader, format, `${pointer}/format`);
  return {
    key: key || header,
    column: {
      header: reader.text(header || key, `${pointer}/header`),
      ...(parsedAlign && { align: parsedAlign }),
      ...(parsedFormat && { format: parsedFormat }),
      ...(width !== undefined && { width }),
    },
  };
}

/** Reads row objects into `[row][column]` by the columns' keys; what a row does not hold is null. */
export function parseRows(
  reader: SpecReader,
  keys: readonly string[],
  rows: readonly Row[],
  pointer: string,
): CellValue[][] {
  reader.countTable(rows.length, keys.length, pointer);
  return rows.map((row, rowIndex) =>
    keys.map((key) =>
      Object.hasOwn(row, key)
        ? reader.cell(row[key], () => `${pointer}/${rowIndex}/${pointerToken(key)}`)
        : null,
    ),
  );
}
