/** Writes a number for a content stream: at most three decimals, never an exponent. */
export function pdfNumber(value: number): string {
  const rounded = Math.round(value * 1000) / 1000;
  return Number.isFinite(rounded) ? String(rounded) : '0';
}

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
