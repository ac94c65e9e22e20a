/**
 * A rule names cells as if the header stood in row 1, whatever logo or title stands above it. These move such
 * references to where the cells really are.
 */
const lastRow = 1_048_576;
const lastColumn = 16_384;

/**
 * Returns an A1 range moved down by `rows`, its corners in order and without `$`; undefined where it is none, or
 * beyond the sheet's last row or column.
 */
export function movedRange(ref: string, rows: number): string | undefined {
  const corners = ref.toUpperCase().split(':').map(parseCell);
  const [from] = corners;
  const to = corners.length === 1 ? from : corners[1];
  if (from === undefined || to === undefined || corners.length > 2) return undefined;
  const top = Math.min(from.row, to.row) + rows;
  // The rows that the title takes are no fault of a range that reaches to the sheet's end.
  const bottom = Math.min(lastRow, Math.max(from.row, to.row) + rows);
  const [left, right] = [from, to].sort((one, other) => one.column - other.column) as [Cell, Cell];
  if (top > lastRow) return undefined;
  const first = `${left.letters}${top}`;
  const last = `${right.letters}${bottom}`;
  return first === last ? first : `${first}:${last}`;
}

/** Returns a formula whose references are moved down by `rows`; text in quotes, other sheets and names stay. */
export function movedFormula(formula: string, rows: number): string {
  return formula
    .split(/("(?:[^"]|"")*"|'(?:[^']|'')*'![$A-Za-z0-9:]+)/)
    .map((piece, index) =>
      index % 2 === 1
        ? piece
        : piece.replace(
            /(?<![A-Za-z0-9_.!$])(\$?[A-Z]{1,3}\$?)(\d{1,7})(?![\d(A-Za-z_.!])/gi,
            (_, column: string, row: string) => `${column}${Math.min(lastRow, Number(row) + rows)}`,
          ),
    )
    .join('');
}

interface Cell {
  readonly letters: string;
  readonly column: number;
  readonly row: number;
}

function parseCell(text: string): Cell | undefined {
  const [, letters = '', digits = ''] = /^\$?([A-Z]{1,3})\$?(\d{1,7})$/.exec(text) ?? [];
  const column = [...letters].reduce((number, letter) => number * 26 + letter.charCodeAt(0) - 64, 0);
  const row = Number(digits);
  return column < 1 || column > lastColumn || row < 1 || row > lastRow ? undefined : { letters, column, row };
}
