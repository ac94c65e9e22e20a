/** A stretch of text in one look. Empty text never occurs. */
export interface InlineRun {
  readonly text: string;
  readonly bold: boolean;
  readonly italic: boolean;
  readonly code: boolean;
  /** A valid https address in its ASCII form. */
  readonly href?: string;
}

/**
 * Reads the Markdown subset `**bold**`, `*italic*`, `` `code` `` and `[label](https://…)`; every other character
 * stays as it is. Emphasis nests, also inside labels; links do not nest. Time is linear in the text's length.
 *
 * Source: CommonMark 0.31.2, 6.1 (one backtick), 6.2 (asterisks) and 6.3 (inline links without a title).
 */
export function parseInline(text: string): InlineRun[] {
  if (!/[*`[]/.test(text)) return text === '' ? [] : [plain(text)];
  const closing = matchingParentheses(text);
  const nodes: Node[] = [];
  let brackets: number[] = [];
  let literalFrom = 0;
  let index = 0;
  const lastBacktick = text.lastIndexOf('`');

  const flushBefore = (end: number, next: number): void => {
    if (end > literalFrom) nodes.push(plain(text.slice(literalFrom, end)));
    literalFrom = next;
    index = next;
  };

  while (index < text.length) {
    const character = text[index];
    if (character === '*') {
      let end = index + 1;
      while (text[end] === '*') end++;
      const start = index;
      flushBefore(start, end);
      nodes.push(delimiter(text, start, end));
    } else if (character === '`' && index < lastBacktick) {
      const end = text.indexOf('`', index + 1);
      if (end === index + 1) {
        index = end + 1;
      } else {
        const code = text.slice(index + 1, end);
        flushBefore(index, end + 1);
        nodes.push({ ...plain(code), code: true });
      }
    } else if (character === '[') {
      flushBefore(index, index + 1);
      brackets.push(nodes.length);
      nodes.push(plain('['));
    } else if (character === ']' && brackets.length > 0) {
      const open = brackets.pop() as number;
      const end = closing.get(index + 1);
      const href = end === undefined ? undefined : httpsAddress(text.slice(index + 2, end));
      const isEmpty = open === nodes.length - 1 && literalFrom === index;
      if (href === undefined || end === undefined || isEmpty) {
        index++;
      } else {
        flushBefore(index, end + 1);
        const label = resolveEmphasis(nodes.splice(open).slice(1));
        for (const run of label) nodes.push({ ...run, href });
        brackets = [];
      }
    } else {
      index++;
    }
  }
  flushBefore(text.length, text.length);
  return resolveEmphasis(nodes);
}

interface Delimiter {
  readonly length: number;
  readonly canOpen: boolean;
  readonly canClose: boolean;
  /** Asterisks that no match has used. */
  left: number;
  opens: Emphasis;
  closes: Emphasis;
}

interface Emphasis {
  bold: number;
  italic: number;
}

type Node = InlineRun | Delimiter;

const addressCharsMax = 2_083;
const whitespace = /\s/u;
const punctuation = /[\p{P}\p{S}]/u;

function plain(text: string): InlineRun {
  return { text, bold: false, italic: false, code: false };
}

/** Maps each opening parenthesis to its partner; white space lies in no pair. */
function matchingParentheses(text: string): Map<number, number> {
  const pairs = new Map<number, number>();
  let open: number[] = [];
  for (const { 0: character, index } of text.matchAll(/[()\s]/g)) {
    if (character === '(') {
      open.push(index);
    } else if (character === ')') {
      const start = open.pop();
      if (start !== undefined) pairs.set(start, index);
    } else {
      open = [];
    }
  }
  return pairs;
}

function httpsAddress(reference: string): string | undefined {
  if (reference.length > addressCharsMax || !/^https:\/\/[^\s<>"\\^`{|}]+$/i.test(reference))
    return undefined;
  const address = URL.canParse(reference) ? new URL(reference).href : '';
  return address === '' || address.length > addressCharsMax ? undefined : address;
}

function delimiter(text: string, start: number, end: number): Delimiter {
  // Whole code points, so that the class of an astral character is not read off its half.
  const before = start === 0 ? ' ' : String.fromCodePoint(codePointBefore(text, start));
  const after = end === text.length ? ' ' : String.fromCodePoint(text.codePointAt(end) as number);
  const spaceBefore = whitespace.test(before);
  const spaceAfter = whitespace.test(after);
  const markBefore = punctuation.test(before);
  const markAfter = punctuation.test(after);
  return {
    length: end - start,
    canOpen: !spaceAfter && (!markAfter || spaceBefore || markBefore),
    canClose: !spaceBefore && (!markBefore || spaceAfter || markAfter),
    left: end - start,
    opens: { bold: 0, italic: 0 },
    closes: { bold: 0, italic: 0 },
  };
}

function codePointBefore(text: string, index: number): number {
  const unit = text.charCodeAt(index - 1);
  const isLow = unit >= 0xdc00 && unit <= 0xdfff;
  return (isLow && index > 1 ? text.codePointAt(index - 2) : unit) as number;
}

function resolveEmphasis(nodes: readonly Node[]): InlineRun[] {
  matchDelimiters(nodes.filter((node): node is Delimiter => 'opens' in node));
  const runs: InlineRun[] = [];
  let bold = 0;
  let italic = 0;
  const push = (run: InlineRun): void => {
    const styled = { ...run, bold: run.bold || bold > 0, italic: run.italic || italic > 0 };
    const last = runs.at(-1);
    if (last !== undefined && sameLook(last, styled)) {
      runs[runs.length - 1] = { ...last, text: last.text + styled.text };
    } else {
      runs.push(styled);
    }
  };
  for (const node of nodes) {
    if (!('opens' in node)) {
      push(node);
      continue;
    }
    bold -= node.closes.bold;
    italic -= node.closes.italic;
    if (node.left > 0) push(plain('*'.repeat(node.left)));
    bold += node.opens.bold;
    italic += node.opens.italic;
  }
  return runs;
}

function sameLook(a: InlineRun, b: InlineRun): boolean {
  return (
    a.bold === b.bold && a.italic === b.italic && a.href === b.href && a.code === b.code && a.code === false
  );
}

/** Pairs closers with openers; what a closer searched in vain is not searched again by its like. */
function matchDelimiters(delimiters: readonly Delimiter[]): void {
  const openers: Delimiter[] = [];
  const searchedUpTo = [0, 0, 0, 0, 0, 0];
  for (const closer of delimiters) {
    const kind = (closer.length % 3) + (closer.canOpen ? 3 : 0);
    while (closer.canClose && closer.left > 0) {
      const bottom = searchedUpTo[kind] as number;
      let at = openers.length - 1;
      while (at >= bottom && !mayPair(openers[at] as Delimiter, closer)) at--;
      if (at < bottom) {
        searchedUpTo[kind] = openers.length;
        break;
      }
      const opener = openers[at] as Delimiter;
      const strong = opener.left >= 2 && closer.left >= 2;
      opener.opens[strong ? 'bold' : 'italic']++;
      closer.closes[strong ? 'bold' : 'italic']++;
      opener.left -= strong ? 2 : 1;
      closer.left -= strong ? 2 : 1;
      openers.length = opener.left > 0 ? at + 1 : at;
      for (let index = 0; index < searchedUpTo.length; index++) {
        searchedUpTo[index] = Math.min(searchedUpTo[index] as number, openers.length);
      }
    }
    if (closer.canOpen && closer.left > 0) openers.push(closer);
  }
}

/** The rule of three: a run that can both open and close pairs only where the lengths make the nesting plain. */
function mayPair(opener: Delimiter, closer: Delimiter): boolean {
  if (!opener.canClose && !closer.canOpen) return true;
  const bothMultiples = opener.length % 3 === 0 && closer.length % 3 === 0;
  return (opener.length + closer.length) % 3 !== 0 || bothMultiples;
}
