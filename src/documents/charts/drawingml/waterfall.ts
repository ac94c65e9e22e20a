import type { Palette } from '../../palettes.ts';
import type { PlottedSeries } from './series.ts';

/** The heights of one column of a waterfall. Parts below zero are negative; `base` is invisible. */
export interface WaterfallStep {
  readonly kind: 'increase' | 'decrease' | 'total' | 'gap';
  readonly base: number;
  readonly above: number;
  readonly below: number;
}

export const waterfallLabels = {
  base: 'Base',
  increase: 'Increase',
  decrease: 'Decrease',
  total: 'Total',
  increaseBelow: 'Increase below zero',
  decreaseBelow: 'Decrease below zero',
} as const;

/**
 * Returns the columns of a waterfall. A change runs from the level before it to the level after it; a total runs
 * from zero and sets the level: to its own value, or to the level so far where it is null.
 *
 * Stacked columns pile positive values up and negative ones down, each from zero, so a column that crosses zero
 * has a part on either side and no base.
 */
export function waterfallSteps(
  values: readonly (number | null)[],
  totals: readonly number[],
): WaterfallStep[] {
  const totalAt = new Set(totals);
  let level = 0;
  return values.map((value, index) => {
    if (totalAt.has(index)) {
      level = value ?? level;
      return { kind: 'total', base: 0, above: Math.max(0, level), below: Math.min(0, level) };
    }
    if (value === null) return { kind: 'gap', base: level, above: 0, below: 0 };
    const before = level;
    level = round(level + value);
    const low = Math.min(before, level);
    const high = Math.max(before, level);
    return {
      kind: value < 0 ? 'decrease' : 'increase',
      base: Math.max(0, low) + Math.min(0, high),
      above: round(Math.max(0, high) - Math.max(0, low)),
      below: round(Math.min(0, low) - Math.min(0, high)),
    };
  });
}

/** Returns the stacked series of a waterfall. The parts below zero are there only when `belowZero`, or when needed. */
export function waterfallSeries(
  values: readonly (number | null)[],
  totals: readonly number[],
  palette: Palette,
  options: { readonly belowZero?: boolean } = {},
): PlottedSeries[] {
  const steps = waterfallSteps(values, totals);
  const belowZero = options.belowZero ?? steps.some(({ kind, below }) => kind !== 'total' && below < 0);
  const pick = (kind: WaterfallStep['kind'], part: 'above' | 'below') =>
    steps.map((step) => (step.kind === kind && step[part] !== 0 ? step[part] : null));
  const bars = { draw: 'bar', axis: 'first', inLegend: true } as const;
  const series: PlottedSeries[] = [
    {
      ...bars,
      label: waterfallLabels.base,
      values: steps.map(({ base }) => (base === 0 ? null : base)),
      inLegend: false,
    },
    {
      ...bars,
      label: waterfallLabels.increase,
      values: pick('increase', 'above'),
      color: palette.positive,
      sign: '+',
    },
    {
      ...bars,
      label: waterfallLabels.decrease,
      values: pick('decrease', 'above'),
      color: palette.negative,
      sign: '-',
    },
    {
      ...bars,
      label: waterfallLabels.total,
      values: steps.map(({ kind, above, below }) => (kind === 'total' ? above + below : null)),
      color: palette.primary,
      inLegend: totals.length > 0,
    },
  ];
  if (!belowZero) return series;
  return [
    ...series,
    {
      ...bars,
      label: waterfallLabels.increaseBelow,
      values: pick('increase', 'below'),
      color: palette.positive,
      sign: '+',
      inLegend: false,
    },
    {
      ...bars,
      label: waterfallLabels.decreaseBelow,
      values: pick('decrease', 'below'),
      color: palette.negative,
      sign: '-',
      inLegend: false,
    },
  ];
}

/** Sums of decimal fractions drift; 12 significant digits hide it, as spreadsheets do. */
function round(value: number): number {
  return Number(value.toPrecision(12));
}
