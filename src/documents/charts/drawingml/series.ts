import type { Color, ColumnFormat } from '../../../domain/documents/common.ts';

/** One series as DrawingML draws it. A waterfall has more of them than its chart has datasets. */
export interface PlottedSeries {
  readonly label: string;
  readonly values: readonly (number | null)[];
  readonly draw: 'bar' | 'line' | 'area' | 'pie';
  readonly axis: 'first' | 'second';
  /** Absent: the series is invisible and carries others. */
  readonly color?: Color;
  readonly inLegend: boolean;
  /** How a label of this series shows its sign, where the bar's length has lost it. */
  readonly sign?: '+' | '-';
  /** Colours of a pie's slices by index, where they are not the palette's. */
  readonly sliceColors?: readonly (Color | undefined)[];
  /** Replaces the chart's number format for this series. */
  readonly format?: ColumnFormat;
}
