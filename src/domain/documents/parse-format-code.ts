/** One piece of a section: text as it is, or a placeholder to fill. */
export interface CodeToken {
  readonly kind: 'literal' | 'code';
  readonly text: string;
}

/** Returns the one to four sections of an Excel number format (ECMA-376 Part 1, 18.8.31), each in pieces. */
export function parseFormatCode(code: string): CodeToken[][] {
  return splitSections(code).map(tokenize);
}

function splitSections(code: string): string[] {
  const sections: string[] = [''];
  for (const piece of code.match(/"[^"]*"?|\\[\s\S]|\[[^\]]*\]?|;|[^"\\[;]+/g) ?? []) {
    if (piece === ';' && sections.length < 4) sections.push('');
    else sections[sections.length - 1] += piece;
  }
  return sections;
}

function tokenize(section: string): CodeToken[] {
  const tokens: CodeToken[] = [];
  const pieces =
    section.match(
      /"[^"]*"?|\\[\s\S]?|\[[^\]]*\]?|[_*][\s\S]?|General|AM\/PM|A\/P|[0#?][0#?,.]*(?:E[+-][0#?]+)?|\.[0#?]+|[yY]+|[mM]+|[dD]+|[hH]+|[sS]+(?:\.0+)?|[\s\S]/g,
    ) ?? [];
  for (const piece of pieces) {
    const literal = literalOf(piece);
    if (literal === undefined) tokens.push({ kind: 'code', text: piece });
    else if (literal !== '') tokens.push({ kind: 'literal', text: literal });
  }
  return tokens;
}

/** The text that a piece stands for; undefined when it is a placeholder. */
function literalOf(piece: string): string | undefined {
  if (piece.startsWith('"')) return piece.replace(/^"|"$/g, '');
  if (piece.startsWith('\\')) return piece.slice(1);
  if (piece.startsWith('[')) {
    if (/^\[(h+|m+|s+)\]$/i.test(piece)) return undefined;
    return /^\[\$([^\]-]*)/.exec(piece)?.[1] ?? '';
  }
  if (piece.startsWith('_')) return ' ';
  if (piece.startsWith('*')) return '';
  return /^(General|AM\/PM|A\/P|[0#?.][\s\S]+|[0#?@%]|[ymdhs]+(\.0+)?)$/i.test(piece) ? undefined : piece;
}
