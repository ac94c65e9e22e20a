import type { CellValue } from './common.ts';
import { parseInstant } from './format-date.ts';
import { formatDateCode } from './format-date-code.ts';
import { formatFixed, formatGeneral } from './format-number.ts';

type Show = (value: Exclude<CellValue, null>) => string;

/** One piece of a section: text as it is, or a placeholder to fill. */
export interface CodeToken {
  readonly kind: 'literal' | 'code';
  readonly text: string;
}

const compiled = new Map<string, Show>();

/**
 * Compiles an Excel number format (ECMA-376 Part 1, 18.8.31) to a function that shows one value.
 *
 * Sections for positive, negative, zero and text; digits, grouping, scaling by commas, percent, exponents,
 * quoted and escaped text, currency tags, dates and times. Colours, conditions and padding are passed over, and
 * fractions are shown as decimals.
 */
export function compileFormatCode(code: string): Show {
  const known = compiled.get(code);
  if (known !== undefined) return known;
  const show = compile(code);
  // The codes come from callers: without a cap they would fill the worker's memory.
  if (compiled.size < 512) compiled.set(code, show);
  return show;
}

function compile(code: string): Show {
  const sections = splitSections(code).map(tokenize);
  const [positive = [], negative, zero, text] = sections;
  const isDate = positive.some((token) => token.kind === 'code' && /[ymdhsYMDHS]/.test(token.text));
  return (value) => {
    if (isDate && typeof value !== 'boolean') {
      const instant = parseInstant(value);
      return instant === undefined ? String(value) : formatDateCode(positive, instant);
    }
    if (typeof value !== 'number') {
      return text === undefined ? String(value) : showText(text, String(value));
    }
    if (value < 0 && negative !== undefined) return showNumber(negative, -value);
    if (value === 0 && zero !== undefined) return showNumber(zero, 0);
    return showNumber(positive, value);
  };
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

function showText(section: readonly CodeToken[], value: string): string {
  return section
    .map((token) => (token.kind === 'literal' ? token.text : token.text === '@' ? value : ''))
    .join('');
}

function showNumber(section: readonly CodeToken[], value: number): string {
  const percents = section.filter((token) => token.kind === 'code' && token.text === '%').length;
  const scaled = value * 100 ** percents;
  let isPlaced = false;
  let text = '';
  let sign = scaled < 0 ? '-' : '';
  for (const token of section) {
    if (token.kind === 'literal') text += token.text;
    else if (token.text === '%') text += '%';
    else if (token.text === '@' || token.text === 'General') text += formatGeneral(Math.abs(scaled));
    else if (!isPlaced) {
      const digits = fillDigits(token.text, Math.abs(scaled));
      if (!/[1-9]/.test(digits)) sign = '';
      text += digits;
      isPlaced = true;
    }
  }
  return sign + text;
}

/** `#,##0.00`, `0.0,,`, `0.00E+00`: the digits of a magnitude. */
function fillDigits(placeholder: string, magnitude: number): string {
  const [mantissa = '', exponent] = placeholder.split(/E[+-]/);
  const [wholeCode = '', fractionCode = ''] = mantissa.replace(/,+$/, '').split('.');
  const places = Math.min(30, fractionCode.replace(/,/g, '').length);
  if (exponent !== undefined) return fillExponent(magnitude, places, exponent.length, placeholder);
  const scaled = magnitude / 1000 ** (/,+$/.exec(placeholder)?.[0].length ?? 0);
  const grouped = wholeCode.includes(',');
  const filled = formatFixed(scaled, places, grouped);
  const [whole = '0', fraction = ''] = filled.split('.');
  const required = wholeCode.replace(/[^0]/g, '').length;
  const shownWhole = required === 0 && whole === '0' ? '' : whole.padStart(required, '0');
  const requiredPlaces = fractionCode.lastIndexOf('0') + 1;
  const shownFraction = fraction.replace(/0+$/, '').padEnd(requiredPlaces, '0');
  if (places === 0) return shownWhole;
  return shownFraction === '' ? shownWhole || '0' : `${shownWhole}.${shownFraction}`;
}

function fillExponent(magnitude: number, places: number, exponentDigits: number, code: string): string {
  const [digits = '0', exponent = '+0'] = magnitude.toExponential(Math.min(places, 20)).split('e');
  const sign = exponent.startsWith('-') ? '-' : code.includes('E+') ? '+' : '';
  return `${digits}E${sign}${exponent.slice(1).padStart(exponentDigits, '0')}`;
}
