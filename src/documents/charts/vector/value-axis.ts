import { type ScaleLinear, scaleLinear } from 'd3-scale';
import type { ColumnFormat } from '../../../domain/documents/common.ts';
import { numberLabels } from './number-labels.ts';

/** A value axis: its scale (without a range yet), its ticks, and how they are written. */
export interface ValueAxis {
  readonly scale: ScaleLinear<number, number>;
  readonly ticks: readonly number[];
  readonly labels: readonly string[];
}

/** The value axes of a chart: the second one only where a combo has lines beside bars. */
export interface ValueAxes {
  readonly first: ValueAxis;
  readonly second?: ValueAxis;
}

/** Values beyond this cannot be told apart on paper, and their sums overflow. */
const magnitudeMax = 1e300;

/**
 * Makes an axis that holds the values, from zero where bars or areas stand on it, with about `tickCount` round
 * steps. Values of a line alone may leave zero out when they lie far from it.
 */
export function valueAxis(
  values: readonly number[],
  fromZero: boolean,
  tickCount: number,
  format: ColumnFormat | undefined,
): ValueAxis {
  let low = Number.POSITIVE_INFINITY;
  let high = Number.NEGATIVE_INFINITY;
  for (const value of values) {
    const bounded = Math.max(-magnitudeMax, Math.min(magnitudeMax, value));
    low = Math.min(low, bounded);
    high = Math.max(high, bounded);
  }
  if (low > high) [low, high] = [0, 1];
  const isFar = low > 0 ? low > (high - low) * 1.5 : high < 0 && -high > (high - low) * 1.5;
  if (fromZero || !isFar) {
    low = Math.min(0, low);
    high = Math.max(0, high);
  }
  if (low === high) {
    const room = low === 0 ? 1 : Math.abs(low) * 0.5;
    if (!fromZero || low === 0) low -= low === 0 ? 0 : room;
    high += room;
  }
  const scale = scaleLinear().domain([low, high]).nice(tickCount).clamp(true);
  const ticks = scale.ticks(tickCount);
  return { scale, ticks, labels: ticks.map(numberLabels(ticks, format)) };
}
