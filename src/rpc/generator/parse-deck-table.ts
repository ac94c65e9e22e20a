import type { JsonObject } from '@bufbuild/protobuf';
import { toJson } from '@bufbuild/protobuf';
import { ValueSchema } from '@bufbuild/protobuf/wkt';
import type { TableCell, TableElement, TableRow } from '../../../gen/service/generator/v1/deck_pb.ts';
import type { DeckCell, DeckTable } from '../../domain/documents/deck-spec.ts';
import { parseAlign, present } from './parse-common.ts';
import { parseColumn } from './parse-table.ts';
import { pathOf, pointerToken, type SpecReader } from './spec-reader.ts';

const columnsMax = 100;

/** Reads the table of a slide. Rows are brought to one length: that of the columns, else that of the longest row. */
export function parseDeckTable(reader: SpecReader, element: TableElement, pointer: string): DeckTable {
  const { columns, rows, headerStyle, fontSize } = element;
  const parsed = columns.map((column, index) => parseColumn(reader, column, `${pointer}/columns/${index}`));
  const keys = parsed.map(({ key }) => key);
  const width = columns.length || Math.max(0, ...rows.map(({ cells }) => cells.length));
  if (width === 0) reader.fail(pointer, `${pathOf(pointer)} needs columns, or rows of cells`);
  if (width > columnsMax) reader.fail(pointer, `${pathOf(pointer)} has over ${columnsMax} columns`);
  reader.countTable(rows.length, width, `${pointer}/rows`);
  return present<DeckTable>({
    columns: columns.length === 0 ? undefined : parsed.map(({ column }) => column),
    rows: rows.map((row, index) => parseRow(reader, row, keys, width, `${pointer}/rows/${index}`)),
    header: present<DeckTable['header']>({
      fill: reader.optionalColor(headerStyle?.fill, `${pointer}/headerStyle/fill`),
      color: reader.optionalColor(headerStyle?.color, `${pointer}/headerStyle/color`),
      bold: headerStyle?.bold ?? true,
    }),
    fontSize,
  });
}

function parseRow(
  reader: SpecReader,
  { cells, values }: TableRow,
  keys: readonly string[],
  width: number,
  pointer: string,
): DeckCell[] {
  if (values !== undefined) return parseKeyedRow(reader, values, keys, pointer);
  if (cells.length > width)
    reader.fail(pointer, `${pathOf(pointer)} has ${cells.length} cells for ${width} columns`);
  return Array.from({ length: width }, (_, index) => {
    const cell = cells[index];
    return cell === undefined ? { value: null } : parseCell(reader, cell, `${pointer}/${index}`);
  });
}

function parseKeyedRow(
  reader: SpecReader,
  values: JsonObject,
  keys: readonly string[],
  pointer: string,
): DeckCell[] {
  if (keys.length === 0) reader.fail(pointer, `${pathOf(pointer)} is an object, which needs columns`);
  return keys.map((key) => ({
    value: Object.hasOwn(values, key)
      ? reader.cell(values[key], () => `${pointer}/${pointerToken(key)}`)
      : null,
  }));
}

function parseCell(
  reader: SpecReader,
  { value, bold, color, fill, align }: TableCell,
  pointer: string,
): DeckCell {
  return present<DeckCell>({
    value: value === undefined ? null : reader.cell(toJson(ValueSchema, value), () => pointer),
    bold,
    color: reader.optionalColor(color, `${pointer}/color`),
    fill: reader.optionalColor(fill, `${pointer}/fill`),
    align: parseAlign(reader, align, `${pointer}/align`),
  });
}
