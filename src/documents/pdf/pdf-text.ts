/** Writes a number for a content stream: at most three decimals, never an exponent. */
export function pdfNumber(value: number): string {
  const rounded = Math.round(value * 1000) / 1000;
  return Number.isFinite(rounded) ? String(rounded) : '0';
}

/** Writes a length in points: two decimals, a seventh of the finest printer's dot. */
export function pdfLength(value: number): string {
  const hundredths = Math.round(value * 100);
  if (!(Math.abs(hundredths) < 1e8)) return pdfNumber(value);
  const whole = Math.trunc(hundredths / 100);
  const rest = Math.abs(hundredths % 100);
  if (rest === 0) return String(whole);
  // Whole numbers are written from a cache; the digits of a fraction are worked out each time.
  return (hundredths < 0 && whole === 0 ? '-0' : String(whole)) + (fractions[rest] ?? '');
}

const fractions = Array.from({ length: 100 }, (_, rest) =>
  rest % 10 === 0 ? `.${rest / 10}` : `.${String(rest).padStart(2, '0')}`,
);

/** Writes a text string object: ASCII as a literal, everything else as UTF-16 (ISO 32000-1, 7.9.2.2). */
export function pdfTextString(text: string): string {
  if (/^[\x20-\x7e]*$/.test(text)) return `(${text.replace(/[\\()]/g, '\\$&')})`;
  return `<FEFF${Buffer.from(text, 'utf16le').swap16().toString('hex').toUpperCase()}>`;
}

/** A colour of a palette (`RRGGBB`) as three operands. */
export function pdfColor(color: string): string {
  const known = colorOperands.get(color);
  if (known !== undefined) return known;
  const operands = [0, 2, 4]
    .map((at) => pdfNumber(Number.parseInt(color.slice(at, at + 2), 16) / 255))
    .join(' ');
  if (colorOperands.size < 4_096) colorOperands.set(color, operands);
  return operands;
}

const colorOperands = new Map<string, string>();
