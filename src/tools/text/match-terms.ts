/** Tells whether all terms occur in the text, whatever their case. For the sample systems, which have no index. */
export function hasTerms(text: string, terms: readonly string[]): boolean {
  const folded = text.toLowerCase();
  return terms.every((term) => folded.includes(term.toLowerCase()));
}

/** The rows of one page, `cursor` being the position of the first. */
export function pageOf<Row>(
  rows: readonly Row[],
  { limit, cursor = '0' }: { readonly limit: number; readonly cursor?: string },
): { rows: readonly Row[]; total: number; nextCursor?: string } {
  const start = Number(cursor);
  const end = start + limit;
  return {
    rows: rows.slice(start, end),
    total: rows.length,
    ...(end < rows.length && { nextCursor: String(end) }),
  };
}
