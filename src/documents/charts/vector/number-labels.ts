import type { ColumnFormat } from '../../../domain/documents/common.ts';
import { formatValue } from '../../../domain/documents/format-value.ts';

/**
 * How the values of a chart are written: by its number format, else with separators and as few decimals as tell
 * them apart; thousands of millions are shortened (12.5M). Decimals that are zero everywhere are left out.
 */
export function numberLabels(
  values: readonly number[],
  format: ColumnFormat | undefined,
): (value: number) => string {
  if (format !== undefined) {
    const written = values.map((value) => formatValue(value, format));
    const isRound = written.every((text) => /\.0+(?=\D*$)/.test(text));
    return (value) => {
      const text = formatValue(value, format);
      return isRound ? text.replace(/\.0+(?=\D*$)/, '') : text;
    };
  }
  const largest = values.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  const [divisor, suffix] = unitOf(largest);
  const decimals = values.reduce((most, value) => Math.max(most, decimalsOf(value / divisor)), 0);
  const code = decimals === 0 ? '#,##0' : `#,##0.${'0'.repeat(decimals)}`;
  return (value) => {
    if (value === 0) return '0';
    const scaled = value / divisor;
    return Math.abs(scaled) >= 1e15
      ? formatValue(value, undefined)
      : formatValue(scaled, { kind: 'custom', code }) + suffix;
  };
}

function unitOf(largest: number): readonly [number, string] {
  if (largest >= 1e12) return [1e12, 'T'];
  if (largest >= 1e9) return [1e9, 'B'];
  if (largest >= 1e6) return [1e6, 'M'];
  return [1, ''];
}

/** Decimals that a value needs, three at most, or enough for two significant digits of a small one. */
function decimalsOf(value: number): number {
  const magnitude = Math.abs(value);
  if (magnitude === 0 || !Number.isFinite(magnitude)) return 0;
  const most = magnitude >= 100 ? 0 : magnitude >= 1 ? 2 : Math.min(8, 2 - Math.floor(Math.log10(magnitude)));
  for (let decimals = 0; decimals < most; decimals++) {
    if (Math.abs(Number(magnitude.toFixed(decimals)) - magnitude) < magnitude * 1e-9) return decimals;
  }
  return most;
}
