import { directionsOf, visualRuns } from '../fonts/bidi.ts';
import type { Directions } from '../fonts/bidi-levels.ts';
import { lineBreaks } from '../fonts/line-breaks.ts';
import { extendsCluster } from '../fonts/script.ts';
import type { Typesetter } from '../fonts/typesetter.ts';
import type { TextSpan } from './rich-text.ts';

/** A stretch of a line in one look and one direction. */
export interface LinePiece {
  readonly text: string;
  readonly span: TextSpan;
  readonly isRightToLeft: boolean;
}

/** A line of text: its pieces from left to right and its width in points. */
export interface TextLine {
  readonly pieces: readonly LinePiece[];
  readonly width: number;
  /** Whether its paragraph runs from right to left, so that it stands at the right. */
  readonly isRightToLeft: boolean;
}

/** Pieces longer than this are not measured whole: a word of 200,000 characters would be measured again a line. */
const wholePieceUnitsMax = 200;

/**
 * Breaks one paragraph into lines no wider than `width` points at a size of `size` points. A word that is wider
 * than a line breaks between signs. Takes time linear in the length of the text.
 */
export function layOutText(
  spans: readonly TextSpan[],
  width: number,
  size: number,
  typesetter: Typesetter,
): TextLine[] {
  const paragraph = openParagraph(spans, typesetter);
  const available = (width * 1000) / size;
  const lines: TextLine[] = [];
  let lineStart = 0;
  let lineWidth = 0;
  let start = 0;
  const endLine = (end: number, next: number): void => {
    lines.push(paragraph.line(lineStart, end, size));
    lineStart = next;
    lineWidth = 0;
  };
  for (const end of lineBreaks(paragraph.text)) {
    const wordEnd = trimmedEnd(paragraph.text, start, end);
    const isLong = wordEnd - start > wholePieceUnitsMax;
    let wordWidth = isLong ? available + 1 : paragraph.measure(start, wordEnd);
    if (lineWidth + wordWidth > available && start > lineStart) endLine(start, start);
    if (wordWidth > available) {
      let used = 0;
      for (let from = start, to = start; from < wordEnd; from = to) {
        to = signEnd(paragraph.text, from, wordEnd);
        const signWidth = paragraph.measure(from, to);
        if (used + signWidth > available && from > lineStart) {
          endLine(from, from);
          used = 0;
        }
        used += signWidth;
      }
      wordWidth = used;
    }
    lineWidth += wordWidth + (end > wordEnd ? paragraph.measure(wordEnd, end) : 0);
    start = end;
  }
  if (lineStart < paragraph.text.length || lines.length === 0) endLine(paragraph.text.length, 0);
  return lines;
}

/** Cuts a line to `width` points, with an ellipsis when something was cut off. */
export function fitText(
  span: TextSpan,
  width: number,
  size: number,
  typesetter: Typesetter,
): { readonly line: TextLine; readonly isCut: boolean } {
  const head = span.text.slice(0, 400);
  const whole = openParagraph([{ ...span, text: head }], typesetter);
  const available = (width * 1000) / size;
  const isWhole = head.length === span.text.length;
  if (isWhole && whole.measure(0, head.length) <= available) {
    return { line: whole.line(0, head.length, size), isCut: false };
  }
  const room = available - typesetter.measure('…', span);
  let end = 0;
  let used = 0;
  while (end < head.length) {
    const next = signEnd(head, end, head.length);
    used += whole.measure(end, next);
    if (used > room) break;
    end = next;
  }
  const cut = openParagraph([{ ...span, text: `${head.slice(0, end).trimEnd()}…` }], typesetter);
  return { line: cut.line(0, cut.text.length, size), isCut: true };
}

interface Paragraph {
  readonly text: string;
  /** Width of a stretch in thousandths of an em. */
  measure(start: number, end: number): number;
  line(start: number, end: number, size: number): TextLine;
}

function openParagraph(spans: readonly TextSpan[], typesetter: Typesetter): Paragraph {
  const text = spans.map((span) => span.text).join('');
  const directions = directionsOf(text);
  const starts: number[] = [];
  let length = 0;
  for (const span of spans) {
    starts.push(length);
    length += span.text.length;
  }

  const [only] = spans.length === 1 ? spans : [];
  const slices: Slicer = (start, end) => {
    if (only !== undefined) return start < end ? [{ text: text.slice(start, end), span: only }] : [];
    const found: Slice[] = [];
    for (let index = spanAt(starts, start); index < spans.length; index++) {
      const span = spans[index];
      const from = starts[index] ?? 0;
      if (span === undefined || from >= end) break;
      const slice = span.text.slice(Math.max(0, start - from), end - from);
      if (slice !== '') found.push({ text: slice, span });
    }
    return found;
  };
  const measure = (start: number, end: number): number => {
    if (only !== undefined) return typesetter.measure(text.slice(start, end), only);
    let width = 0;
    for (const slice of slices(start, end)) width += typesetter.measure(slice.text, slice.span);
    return width;
  };
  return {
    text,
    measure,
    line(start, end, size) {
      const last = trimmedEnd(text, start, end);
      const pieces = directedPieces(directions, start, last, slices);
      const isRightToLeft = directions !== undefined && directions.base % 2 === 1;
      return new LazyLine(pieces, isRightToLeft, () => (measure(start, last) * size) / 1000);
    },
  };
}

/** Measures itself when somebody asks: most lines begin where their text does, whatever their width. */
class LazyLine implements TextLine {
  readonly pieces: readonly LinePiece[];
  readonly isRightToLeft: boolean;
  private readonly measure: () => number;
  private known = -1;

  constructor(pieces: readonly LinePiece[], isRightToLeft: boolean, measure: () => number) {
    this.pieces = pieces;
    this.isRightToLeft = isRightToLeft;
    this.measure = measure;
  }

  get width(): number {
    if (this.known < 0) this.known = this.measure();
    return this.known;
  }
}

interface Slice {
  readonly text: string;
  readonly span: TextSpan;
}

type Slicer = (start: number, end: number) => Slice[];

function directedPieces(
  directions: Directions | undefined,
  start: number,
  end: number,
  slices: Slicer,
): LinePiece[] {
  const pieces: LinePiece[] = [];
  const add = ({ text, span }: Slice, isRightToLeft: boolean) => pieces.push({ text, span, isRightToLeft });
  if (directions === undefined) {
    for (const slice of slices(start, end)) add(slice, false);
    return pieces;
  }
  for (const run of visualRuns(directions, start, end)) {
    const found = slices(run.start, run.end);
    if (run.isRightToLeft) found.reverse();
    for (const slice of found) add(slice, run.isRightToLeft);
  }
  return pieces;
}

/** Where the sign at a place ends, with its marks. */
function signEnd(text: string, start: number, end: number): number {
  let to = nextPlace(text, start);
  while (to < end && extendsCluster(text.codePointAt(to) ?? 0)) to = nextPlace(text, to);
  return to;
}

function nextPlace(text: string, index: number): number {
  return index + ((text.codePointAt(index) ?? 0) > 0xffff ? 2 : 1);
}

function trimmedEnd(text: string, start: number, end: number): number {
  let last = end;
  while (last > start && text.charCodeAt(last - 1) === 0x20) last--;
  return last;
}

/** The index of the span that holds a place: the last one that starts at or before it. */
function spanAt(starts: readonly number[], place: number): number {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((starts[middle] ?? 0) <= place) low = middle;
    else high = middle - 1;
  }
  return low;
}
