import LineBreaker from 'linebreak';

/**
 * Where a text may break: the ends of its pieces, ascending, the last one its length. Each piece ends with its
 * spaces. Follows UAX 14, with dictionaries for scripts that write no spaces (Thai, Lao, Khmer, Burmese).
 */
export function lineBreaks(text: string): number[] {
  if (/^[ -~\u00c0-\u024f\u0391-\u03ff\u0400-\u0481]*$/.test(text)) return plainBreaks(text);
  const breaker = new LineBreaker(text);
  const hasUnspaced = unspaced.test(text);
  const ends: number[] = [];
  let start = 0;
  for (let next = breaker.nextBreak(); next !== null; next = breaker.nextBreak()) {
    if (hasUnspaced) addWords(text, start, next.position, ends);
    ends.push(next.position);
    start = next.position;
  }
  if (ends.at(-1) !== text.length) ends.push(text.length);
  return ends;
}

/** After spaces, and after a hyphen or a slash between letters. */
function plainBreaks(text: string): number[] {
  const ends: number[] = [];
  for (let index = 1; index < text.length; index++) {
    const previous = text.charCodeAt(index - 1);
    const current = text.charCodeAt(index);
    const afterSpace = previous === 0x20 && current !== 0x20;
    const afterMark = (previous === 0x2d || previous === 0x2f) && isLetter(current) && index > 1;
    if (afterSpace || (afterMark && isLetter(text.charCodeAt(index - 2)))) ends.push(index);
  }
  ends.push(text.length);
  return ends;
}

function isLetter(code: number): boolean {
  return (code >= 0x41 && code <= 0x5a) || (code >= 0x61 && code <= 0x7a) || code >= 0xc0;
}

const unspaced = /[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff]/;
let segmenter: Intl.Segmenter | undefined;

/** Adds where words end within a piece whose script writes no spaces. */
function addWords(text: string, start: number, end: number, ends: number[]): void {
  const piece = text.slice(start, end);
  if (!unspaced.test(piece)) return;
  segmenter ??= new Intl.Segmenter('th', { granularity: 'word' });
  for (const word of segmenter.segment(piece)) {
    if (word.index > 0 && word.segment.trim() !== '') ends.push(start + word.index);
  }
}
