import { type BidiParagraph, isolateInitiators, removed } from './bidi-paragraph.ts';
import { resolveImplicitLevels } from './bidi-resolve.ts';
import { bidiTypesOf, bidiTypes as types } from './bidi-types.ts';

/** The embedding levels of a text (UAX 9), one a UTF-16 unit; odd ones run from right to left. */
export interface Directions {
  readonly levels: Uint8Array;
  /** That of its first paragraph. */
  readonly base: number;
}

const trailing = types.WS | isolateInitiators | types.PDI | removed;

/**
 * Finds the embedding levels of a text by the Unicode bidirectional algorithm (UAX 9, without the reordering of
 * lines). Takes time linear in the length of the text, whatever it holds.
 */
export function embeddingLevels(text: string): Directions {
  const original = bidiTypesOf(text);
  const whole = {
    text,
    original,
    resolved: original.slice(),
    levels: new Uint8Array(text.length),
    matches: new Int32Array(text.length).fill(-1),
  };
  let base: number | undefined;
  for (let start = 0; start < text.length; ) {
    let end = start;
    while (end < text.length && original[end] !== types.B) end++;
    if (end < text.length) end++;
    matchIsolates(original, whole.matches, start, end);
    const level = strongLevel(original, whole.matches, start, end);
    const paragraph = { ...whole, start, end, base: level };
    setExplicitLevels(paragraph);
    resolveImplicitLevels(paragraph);
    settleRemoved(paragraph);
    base ??= level;
    start = end;
  }
  return { levels: whole.levels, base: base ?? 0 };
}

function matchIsolates(original: Uint32Array, matches: Int32Array, start: number, end: number): void {
  const open: number[] = [];
  for (let index = start; index < end; index++) {
    const type = original[index] ?? 0;
    if ((type & isolateInitiators) !== 0) open.push(index);
    if (type !== types.PDI) continue;
    const initiator = open.pop();
    if (initiator === undefined) continue;
    matches[initiator] = index;
    matches[index] = initiator;
  }
}

/** The level that the first strong character gives, what is isolated left out (P2, P3). */
function strongLevel(original: Uint32Array, matches: Int32Array, start: number, end: number): number {
  for (let index = start; index < end; index++) {
    const type = original[index] ?? 0;
    if ((type & (types.R | types.AL)) !== 0) return 1;
    if (type === types.L) return 0;
    if ((type & isolateInitiators) === 0) continue;
    const match = matches[index] ?? -1;
    if (match < 0) return 0;
    index = match;
  }
  return 0;
}

const depthMax = 125;

interface Embedding {
  readonly level: number;
  /** The type that its characters take, zero for their own. */
  readonly override: number;
  readonly isIsolate: boolean;
}

/** Rules X1 to X8. */
function setExplicitLevels(paragraph: BidiParagraph): void {
  const { original, resolved, levels, matches, start, end, base } = paragraph;
  const outermost: Embedding = { level: base, override: 0, isIsolate: false };
  const stack = [outermost];
  let top = outermost;
  let isolateOverflow = 0;
  let embeddingOverflow = 0;
  let validIsolates = 0;
  const settle = (index: number): void => {
    levels[index] = top.level;
    if (top.override !== 0) resolved[index] = top.override;
  };
  const open = (isRightToLeft: boolean, override: number, isIsolate: boolean): boolean => {
    const level = isRightToLeft ? (top.level + 1) | 1 : (top.level + 2) & ~1;
    if (level > depthMax || isolateOverflow > 0 || embeddingOverflow > 0) return false;
    top = { level, override, isIsolate };
    stack.push(top);
    return true;
  };
  const close = (): void => {
    stack.pop();
    top = stack.at(-1) ?? outermost;
  };
  for (let index = start; index < end; index++) {
    const type = original[index] ?? 0;
    if ((type & (types.RLE | types.LRE | types.RLO | types.LRO)) !== 0) {
      levels[index] = top.level;
      const override = type === types.RLO ? types.R : type === types.LRO ? types.L : 0;
      const isOpened = open((type & (types.RLE | types.RLO)) !== 0, override, false);
      if (!isOpened && isolateOverflow === 0) embeddingOverflow += 1;
    } else if ((type & isolateInitiators) !== 0) {
      settle(index);
      const match = matches[index] ?? -1;
      const isRightToLeft =
        type === types.RLI ||
        (type === types.FSI && strongLevel(original, matches, index + 1, match < 0 ? end : match) === 1);
      if (open(isRightToLeft, 0, true)) validIsolates += 1;
      else isolateOverflow += 1;
    } else if (type === types.PDI) {
      if (isolateOverflow > 0) isolateOverflow -= 1;
      else if (validIsolates > 0) {
        embeddingOverflow = 0;
        while (!top.isIsolate) close();
        close();
        validIsolates -= 1;
      }
      settle(index);
    } else if (type === types.PDF) {
      if (isolateOverflow === 0) {
        if (embeddingOverflow > 0) embeddingOverflow -= 1;
        else if (!top.isIsolate && stack.length > 1) close();
      }
      levels[index] = top.level;
    } else if (type === types.B) {
      levels[index] = base;
    } else if (type === types.BN) {
      levels[index] = top.level;
    } else {
      settle(index);
    }
  }
}

/** What was removed goes with the character before it (5.2); blanks at the end and before separators, rule L1. */
function settleRemoved({ original, levels, start, end, base }: BidiParagraph): void {
  let before = base;
  for (let index = start; index < end; index++) {
    if (((original[index] ?? 0) & removed) !== 0) levels[index] = before;
    before = levels[index] ?? base;
  }
  let isTrailing = true;
  for (let index = end - 1; index >= start; index--) {
    const type = original[index] ?? 0;
    if ((type & (types.S | types.B)) !== 0) isTrailing = true;
    else if ((type & trailing) === 0) isTrailing = false;
    if (isTrailing) levels[index] = base;
  }
}
