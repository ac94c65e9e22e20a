const generalDigitsMax = 11;

/**
 * Returns a number as a spreadsheet shows it under a number format code (ECMA-376 Part 1, 18.8.31): signs, digits,
 * groups, percent and literal text. Dates come out at their full width, fractions and unusual codes nearly so.
 */
export function displayedNumber(value: number, code: string): string {
  const sections = splitSections(code);
  const section =
    value < 0 && sections.length > 1
      ? (sections[1] as string)
      : value === 0 && sections.length > 2
        ? (sections[2] as string)
        : (sections[0] as string);
  const sign = value < 0 && sections.length === 1 ? '-' : '';
  if (isDateCode(section)) return datePattern(section);
  const { before, digits, after } = parts(section);
  if (/general/i.test(digits)) return `${sign}${before}${general(Math.abs(value))}${after}`;
  if (digits === '') return `${before}${after}`;
  return `${sign}${before}${placed(Math.abs(value), digits, section)}${after}`;
}

/** Whether a format code shows a date or a time: it has a date letter outside quotes, brackets and escapes. */
export function isDateCode(code: string): boolean {
  const bare = code.replace(/"[^"]*"|\\.|_.|\*.|\[(?!h+\]|m+\]|s+\])[^\]]*\]|general/gi, '');
  return /[ymdhs]/i.test(bare);
}

/** Splits at semicolons that are no literal text. */
function splitSections(code: string): string[] {
  const sections = [''];
  for (const [token] of code.matchAll(/"[^"]*"|\\.|[\s\S]/g)) {
    if (token === ';') sections.push('');
    else sections.push(`${sections.pop()}${token}`);
  }
  return sections;
}

function parts(section: string): { before: string; digits: string; after: string } {
  let [before, digits, after] = ['', '', ''];
  const add = (text: string) => {
    if (digits === '') before += text;
    else after += text;
  };
  for (const [token] of section.matchAll(/"[^"]*"|\\.|_.|\*.|\[[^\]]*\]|general|e[+-]0+|[\s\S]/gi)) {
    if (/^(general|[0#?.,]|e[+-]0+)$/i.test(token)) digits += token;
    else if (token.startsWith('"')) add(token.slice(1, -1));
    else if (token.startsWith('\\')) add(token.slice(1));
    else if (token.startsWith('_')) add(' ');
    else if (token.startsWith('[$')) add(token.slice(2, -1).replace(/-[^-]*$/, ''));
    else if (!token.startsWith('[') && !token.startsWith('*')) add(token);
  }
  return { before, digits, after };
}

function placed(magnitude: number, digits: string, section: string): string {
  const scale = section.includes('%') ? 100 : 1 / 1000 ** (/,+$/.exec(digits)?.[0].length ?? 0);
  const scaled = magnitude * scale;
  const exponent = /e[+-](0+)/i.exec(digits);
  const decimals = (/\.([0#?]*)/.exec(digits)?.[1] ?? '').length;
  if (exponent !== null) return scaled.toExponential(Math.min(decimals, 100)).toUpperCase();
  const optional = (/\.[0?]*(#*)/.exec(digits)?.[1] ?? '').length;
  const [whole = '', fraction = ''] = fixed(scaled, decimals).split('.');
  const integerDigits = (digits.split('.')[0] ?? '').replace(/[^0?]/g, '').length;
  const padded = (whole === '0' && integerDigits === 0 ? '' : whole).padStart(integerDigits, '0');
  const grouped = /[0#?],[0#?]/.test(digits) ? padded.replace(/\B(?=(\d{3})+$)/g, ',') : padded;
  const kept =
    fraction.slice(0, decimals - optional) + fraction.slice(decimals - optional).replace(/0+$/, '');
  return decimals === 0 ? grouped : `${grouped}.${kept}`;
}

/** `toFixed` turns to exponents at 1e21, and has at most 100 decimals. */
function fixed(value: number, decimals: number): string {
  return value < 1e21 ? value.toFixed(Math.min(decimals, 100)) : BigInt(Math.round(value)).toString();
}

function general(magnitude: number): string {
  const text = String(magnitude);
  if (text.length <= generalDigitsMax) return text;
  if (magnitude >= 1e11 || magnitude < 1e-4) return magnitude.toExponential(5).toUpperCase();
  const whole = String(Math.trunc(magnitude)).length;
  return String(Number(magnitude.toFixed(Math.max(0, generalDigitsMax - 1 - whole))));
}

/** The widest text that a date code can show. */
function datePattern(section: string): string {
  return section
    .replace(/"([^"]*)"|\\(.)/g, '$1$2')
    .replace(/\[\$[^\]]*\]|\[[^hms\]]*\]/gi, '')
    .replace(/a\/p/gi, 'A')
    .replace(/am\/pm/gi, 'AM')
    .replace(/m{4,}|d{4,}/gi, 'September')
    .replace(/\b(y{1,2})(?!y)/gi, '00')
    .replace(/y{3,}/gi, '0000')
    .replace(/(?<![A-Za-z])(m{3}|d{3})(?![A-Za-z])/gi, 'Wed')
    .replace(/(?<![A-Za-z])(d{1,2}|m{1,2}|h{1,2}|s{1,2})(?![A-Za-z])/gi, '00');
}
