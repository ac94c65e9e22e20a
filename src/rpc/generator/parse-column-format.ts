import type { ColumnFormat } from '../../domain/documents/common.ts';
import { pathOf, type SpecReader } from './spec-reader.ts';

const named = ['text', 'number', 'integer', 'percent', 'date', 'datetime', 'time', 'boolean'] as const;
const codeCharsMax = 255;

/**
 * One token of an Excel number format (ECMA-376 Part 1, 18.8.31): quoted text, an escaped or padding character, a
 * bracketed condition, colour or currency, a placeholder, a part of a date, or a character that stands for itself.
 */
const token =
  /^(?:"[^"]*"|\\.|_.|\*.|\[(?:Black|Blue|Cyan|Green|Magenta|Red|White|Yellow|Color ?\d{1,2}|(?:[<>]=?|=|<>)-?\d+(?:\.\d+)?|h+|m+|s+|\$[^[\]]{0,32})\]|General|AM\/PM|A\/P|[Ee][+-]|[#0?.,%@/]|[ymdhsYMDHS]+|[$+\-():!^&'~{}<>= €£¥])/u;

/** Reads a column's format; undefined when none is given. A code that Excel would refuse is a fault. */
export function parseColumnFormat(
  reader: SpecReader,
  format: string,
  pointer: string,
): ColumnFormat | undefined {
  if (format === '') return undefined;
  const kind = named.find((name) => name === format);
  if (kind !== undefined) return { kind };
  if (format === 'currency') return { kind: 'currency', currency: 'USD' };
  if (format.startsWith('currency:'))
    return { kind: 'currency', currency: parseCurrency(reader, format, pointer) };
  if (!isFormatCode(format)) {
    reader.fail(pointer, `${pathOf(pointer)} is neither a known format nor an Excel number format code`);
  }
  return { kind: 'custom', code: format };
}

function parseCurrency(reader: SpecReader, format: string, pointer: string): string {
  const currency = format.slice('currency:'.length).toUpperCase();
  return /^[A-Z]{3}$/.test(currency)
    ? currency
    : reader.fail(pointer, `${pathOf(pointer)} needs an ISO 4217 code: currency:EUR`);
}

function isFormatCode(code: string): boolean {
  if (code.length > codeCharsMax || /[\0-\x1f\ufffe\uffff]/.test(code) || !code.isWellFormed()) return false;
  let sections = 1;
  let rest = code;
  while (rest !== '') {
    if (rest.startsWith(';')) {
      sections++;
      rest = rest.slice(1);
      continue;
    }
    const match = token.exec(rest);
    if (match === null) return false;
    rest = rest.slice(match[0].length);
  }
  return sections <= 4;
}
