import { oneLine } from './clean-text.ts';

/** How much of an excerpt stands before its first match. */
const leadShare = 0.25;

/** Returns one line of the text around the first place where any of the terms occurs, else its beginning. */
export function excerpt(text: string, terms: readonly string[], charsMax: number): string {
  const folded = oneLine(text, Number.POSITIVE_INFINITY);
  if (folded.length <= charsMax) return folded;
  const lower = folded.toLowerCase();
  const places = terms.map((term) => lower.indexOf(term.toLowerCase())).filter((place) => place >= 0);
  const first = places.length === 0 ? 0 : Math.min(...places);
  const start = Math.max(0, Math.min(first - Math.floor(charsMax * leadShare), folded.length - charsMax));
  const from = start === 0 ? 0 : wordStart(folded, start);
  return from === 0 ? oneLine(folded, charsMax) : `…${oneLine(folded.slice(from), charsMax - 1)}`;
}

/** The beginning of the next word, when there is one near. */
function wordStart(text: string, place: number): number {
  const space = text.indexOf(' ', place);
  return space < 0 || space > place + 30 ? place : space + 1;
}
