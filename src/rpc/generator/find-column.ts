import type { WorkbookColumn } from '../../domain/documents/workbook-spec.ts';
import { pathOf, type SpecReader } from './spec-reader.ts';

/** Returns the index of the column that a key, or else a header, names. */
export function findColumn(
  reader: SpecReader,
  name: string,
  columns: readonly WorkbookColumn[],
  pointer: string,
): number {
  const byKey = columns.findIndex(({ key }) => key === name);
  const index = byKey >= 0 ? byKey : columns.findIndex(({ header }) => header === name);
  return index >= 0 ? index : reader.fail(pointer, `${pathOf(pointer)} names no column`);
}
