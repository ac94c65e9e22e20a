import type { ColumnFormat } from '../../domain/documents/common.ts';

const codes: Readonly<Record<Exclude<ColumnFormat['kind'], 'currency' | 'custom'>, string>> = {
  text: '@',
  number: '#,##0.00',
  integer: '#,##0',
  percent: '0.0%',
  date: 'yyyy-mm-dd',
  datetime: 'yyyy-mm-dd hh:mm',
  time: 'hh:mm:ss',
  boolean: 'General',
};

/** Returns the Excel number format code of a column format (ECMA-376 Part 1, 18.8.31); negative currency is red. */
export function numberFormatCode(format: ColumnFormat): string {
  if (format.kind === 'custom') return format.code;
  if (format.kind !== 'currency') return codes[format.kind];
  const positive = currencySection(format.currency);
  return `${positive};[Red]\\-${positive}`;
}

/** Returns the number of decimals that a currency is written with (ISO 4217 minor units): 2 for EUR, 0 for JPY. */
export function currencyDecimals(currency: string): number {
  return currencyFormatter(currency)?.resolvedOptions().maximumFractionDigits ?? 2;
}

/** Returns the sign that stands before an amount: `€`, `$`, `CA$`, or the code and a space where there is no sign. */
export function currencySign(currency: string): string {
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
 * Returns the code for values written in a chart: no colours, and no decimals on an axis whose values need none.
 * Without a format, grouped digits from 1,000 up, else `General`.
 */
export function chartNumberFormatCode(
  format: ColumnFormat | undefined,
  values: readonly (number | null)[],
  use: 'axis' | 'label',
): string {
  let largest = 0;
  let whole = true;
  for (const value of values) {
    if (value === null) continue;
    largest = Math.max(largest, Math.abs(value));
    whole &&= Number.isInteger(value);
  }
  if (format === undefined || format.kind === 'text' || format.kind === 'boolean') {
    if (largest < 1_000) return 'General';
    return whole || use === 'axis' ? '#,##0' : '#,##0.##';
  }
  const [positive = '', ...rest] = numberFormatCode(format).split(';');
  if (format.kind === 'custom')
    return [positive, ...rest].join(';').replace(/\[(Red|Blue|Green|Black)\]/gi, '');
  const shortens = use === 'axis' ? largest >= 10 : whole && format.kind !== 'percent';
  if (format.kind === 'percent') return use === 'axis' && largest >= 0.1 ? '0%' : positive;
  const section = shortens ? positive.replace(/\.0+$/, '') : positive;
  return format.kind === 'currency' ? `${section};\\-${section}` : section;
}
