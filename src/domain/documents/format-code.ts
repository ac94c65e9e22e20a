import type { CellValue } from './common.ts';
import { parseInstant } from './format-date.ts';
import { formatDateCode } from './format-date-code.ts';
import { formatFixed, formatGeneral } from './format-number.ts';
import { type CodeToken, parseFormatCode } from './parse-format-code.ts';

type Show = (value: Exclude<CellValue, null>) => string;

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
  const [positive = [], negative, zero, text] = parseFormatCode(code);
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
