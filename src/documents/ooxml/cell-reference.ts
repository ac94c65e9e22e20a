/** Returns the letters of a column counted from zero: 0 → `A`, 26 → `AA`. */
export function columnName(index: number): string {
  let name = '';
  for (let rest = index + 1; rest > 0; rest = Math.floor((rest - 1) / 26)) {
    name = String.fromCharCode(65 + ((rest - 1) % 26)) + name;
  }
  return name;
}

/** Returns a sheet's name as formulas write it: in apostrophes, its own apostrophes doubled. */
export function quoteSheetName(name: string): string {
  return `'${name.replaceAll("'", "''")}'`;
}

/** Returns the absolute reference of cells of one column, rows counted from one: `'Data'!$B$2:$B$9`. */
export function columnRange(sheet: string, column: number, firstRow: number, lastRow: number): string {
  const letters = columnName(column);
  const first = `${quoteSheetName(sheet)}!$${letters}$${firstRow}`;
  return lastRow === firstRow ? first : `${first}:$${letters}$${lastRow}`;
}
