export interface DirectedText {
  readonly text: string;
  readonly rightToLeft: boolean;
}

const rightToLeftRange =
  '\\u0590-\\u065f\\u066a-\\u06ef\\u06fa-\\u08ff\\ufb1d-\\ufdff\\ufe70-\\ufefc\\u{10800}-\\u{10fff}\\u{1e800}-\\u{1efff}';
const rightToLeft = new RegExp(`[${rightToLeftRange}]`, 'u');
const strong = new RegExp(`[${rightToLeftRange}]|\\p{L}`, 'u');
/** A stretch of one direction; digits that follow left-to-right letters belong to them (UAX #9, W7). */
const leftToRight = `(?:(?![${rightToLeftRange}])\\p{L}[\\p{M}\\p{Nd}]*)+(?:[^\\p{L}${rightToLeftRange}]*\\p{Nd})?`;
const stretches = new RegExp(`[${rightToLeftRange}]+|${leftToRight}`, 'gu');

/** Whether any character is of a right-to-left script. */
export function hasRightToLeft(text: string): boolean {
  return rightToLeft.test(text);
}

/** Whether a paragraph runs from right to left: its first strong character does (UAX #9, P2 and P3). */
export function isRightToLeft(text: string): boolean {
  if (!rightToLeft.test(text)) return false;
  const first = strong.exec(text)?.[0];
  return first !== undefined && rightToLeft.test(first);
}

/**
 * Cuts text of a paragraph into stretches of one direction, in logical order; nothing is lost. What stands between two
 * stretches of one direction takes it, all else takes the paragraph's (UAX #9, N1 and N2). Word orders the punctuation
 * of a run by the run's own direction, so each stretch must be a run.
 */
export function directedText(text: string, paragraphRightToLeft: boolean): DirectedText[] {
  if (!paragraphRightToLeft && !rightToLeft.test(text)) return [{ text, rightToLeft: false }];
  const pieces: DirectedText[] = [];
  let from = 0;
  let inner: { start: number; end: number } | undefined;
  const take = (end: number, direction: boolean): void => {
    if (end > from) pieces.push({ text: text.slice(from, end), rightToLeft: direction });
    from = end;
  };
  const takeInner = (): void => {
    if (inner === undefined) return;
    take(inner.start, paragraphRightToLeft);
    take(inner.end, !paragraphRightToLeft);
    inner = undefined;
  };
  for (const { 0: stretch, index } of text.matchAll(stretches)) {
    if (rightToLeft.test(stretch) === paragraphRightToLeft) {
      takeInner();
    } else {
      inner = { start: inner?.start ?? index, end: index + stretch.length };
    }
  }
  takeInner();
  take(text.length, paragraphRightToLeft);
  return pieces;
}
