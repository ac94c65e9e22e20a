import type { ColumnFormat } from '../../domain/documents/common.ts';

/** Truth values have no number format of their own; programs that keep them as 1 and 0 need this one. */
export const booleanFormatCode = '"TRUE";"TRUE";"FALSE"';

const codes: Readonly<Record<Exclude<ColumnFormat['kind'], 'currency' | 'custom'>, string>> = {
  text: '@',
  number: '#,##0.00',
  integer: '#,##0',
  percent: '0.0%',
  date: 'yyyy-mm-dd',
  datetime: 'yyyy-mm-dd hh:mm',
  time: 'hh:mm:ss',
  boolean: booleanFormatCode,
};

/** Returns the Excel number format code of a column format (ECMA-376 Part 1, 18.8.31), its negatives written out for currencies. */
export function numberFormatCode(format: ColumnFormat): string {
  if (format.kind === 'custom') return format.code;
  if (format.kind !== 'currency') return codes[format.kind];
  const positive = currencySection(format.currency);
  return `${positive};\\-${positive}`;
}

/** Returns the number of decimals that a currency is written with (ISO 4217 minor units): 2 for EUR, 0 for JPY. */
function currencyDecimals(currency: string): number {
  return currencyFormatter(currency)?.resolvedOptions().maximumFractionDigits ?? 2;
}

/** Returns the sign that stands before an amount: `€`, `$`, `CA$`, or the code and a space where there is no sign. */
function currencySign(currency: string): string {
  const part = currencyFormatter(currency)
    ?.formatToParts(0)
    .find(({ type }) => type === 'currency');
  const sign = part?.value ?? currency;
  return /[A-Za-z]$/.test(sign) ? `${sign} ` : sign;
}

function currencySection(currency: string): string {
  const sign = currencySign(currency);
  // [$…] is how Excel itself writes a foreign sign; its own $ stands quoted.
  const prefix = sign === '$' ? '"$"' : `[$${sign.trimEnd()}]${sign.endsWith(' ') ? '\\ ' : ''}`;
  const decimals = currencyDecimals(currency);
  return `${prefix}#,##0${decimals === 0 ? '' : `.${'0'.repeat(decimals)}`}`;
}

function currencyFormatter(currency: string): Intl.NumberFormat | undefined {
  return /^[A-Za-z]{3}$/.test(currency)
    ? new Intl.NumberFormat('en', { style: 'currency', currency })
    : undefined;
}

/**
 * Returns the code for values written in a chart: without colours, with no decimals where the values are large, and
 * beside the points in thousands or millions where they are very large. Without a format, grouped digits from 1,000
 * up, else `General`.
 */
export function chartNumberFormatCode(
  format: ColumnFormat | undefined,
  values: readonly (number | null)[],
  use: 'axis' | 'label' | 'cache',
): string {
  const largest = values.reduce<number>((most, value) => Math.max(most, Math.abs(value ?? 0)), 0);
  const whole = values.every((value) => value === null || Number.isInteger(value));
  if (format === undefined || format.kind === 'text' || format.kind === 'boolean') {
    if (largest < 1_000) return 'General';
    return use === 'label' ? compact('#,##0', largest) : '#,##0';
  }
  const code = numberFormatCode(format);
  if (format.kind === 'custom')
    return code.replace(/\[(red|blue|green|black|cyan|magenta|yellow|white|color ?\d+)\]/gi, '');
  if (use === 'cache') return code;
  const [positive = ''] = code.split(';');
  if (format.kind === 'percent') return use === 'axis' && largest >= 0.1 ? '0%' : positive;
  if (format.kind === 'date' || format.kind === 'datetime' || format.kind === 'time') return positive;
  const shortens = largest >= 1_000 || whole || (use === 'axis' && largest >= 10);
  const short = shortens ? positive.replace(/\.0+$/, '') : positive;
  const section = use === 'label' ? compact(short, largest) : short;
  return format.kind === 'currency' ? `${section};\\-${section}` : section;
}

/** Divides by 1,000 or 1,000,000 from six and eight digits on: nobody reads the rest beside a bar. */
function compact(section: string, largest: number): string {
  if (largest >= 1e7) return `${section.replace('#,##0', '#,##0.0,,')}"M"`;
  return largest >= 1e5 ? `${section.replace('#,##0', '#,##0,')}"K"` : section;
}
