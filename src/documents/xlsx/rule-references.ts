/**
 * A rule names cells as if the header stood in row 1, whatever logo or title stands above it. These move such
 * references to where the cells really are.
 */
const reference = /(?<![A-Za-z0-9_.!$])(\$?[A-Z]{1,3}\$?)(\d{1,7})(?![\d(A-Za-z_.!])/gi;

/** Returns an A1 range moved down by `rows`; whole columns stay. */
export function movedRange(ref: string, rows: number): string {
  return moved(ref.toUpperCase(), rows);
}

/** Returns a formula whose references are moved down by `rows`; text in quotes, other sheets and names stay. */
export function movedFormula(formula: string, rows: number): string {
  return formula
    .split(/("(?:[^"]|"")*"|'(?:[^']|'')*'![$A-Za-z0-9:]+)/)
    .map((piece, index) => (index % 2 === 1 ? piece : moved(piece, rows)))
    .join('');
}

function moved(text: string, rows: number): string {
  return text.replace(reference, (_, column: string, row: string) => `${column}${Number(row) + rows}`);
}
