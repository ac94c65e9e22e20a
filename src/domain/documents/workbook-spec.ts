import type { Align, CellValue, ChartType, Color, ColumnFormat, ImageRef } from './common.ts';

export interface WorkbookColumn {
  readonly key: string;
  readonly header: string;
  readonly format?: ColumnFormat;
  /** Characters of the default font, as Excel counts them. */
  readonly width?: number;
  readonly align?: Align;
}

export interface WorkbookStyles {
  readonly headerBg?: Color;
  readonly headerColor?: Color;
  readonly altRowBg?: Color;
  /** Points. */
  readonly fontSize?: number;
  readonly accentColor?: Color;
}

export const formulaTypes = [
  'SUM',
  'AVERAGE',
  'COUNT',
  'COUNTA',
  'MIN',
  'MAX',
  'MEDIAN',
  'PRODUCT',
  'STDEV',
  'VAR',
] as const;
export type FormulaType = (typeof formulaTypes)[number];

/** A totals row under the data. */
export interface TotalsRow {
  readonly type: FormulaType;
  /** Zero-based column indices, ascending. */
  readonly columns: readonly number[];
  readonly label?: string;
}

export interface RuleStyle {
  readonly color?: Color;
  readonly background?: Color;
  readonly bold?: boolean;
  readonly italic?: boolean;
}

export type CellIsOperator =
  | 'equal'
  | 'notEqual'
  | 'greaterThan'
  | 'greaterThanOrEqual'
  | 'lessThan'
  | 'lessThanOrEqual'
  | 'between'
  | 'notBetween';

export const iconSets = [
  '3Arrows',
  '3ArrowsGray',
  '3Flags',
  '3TrafficLights1',
  '3TrafficLights2',
  '3Signs',
  '3Symbols',
  '3Symbols2',
  '4Arrows',
  '4ArrowsGray',
  '4RedToBlack',
  '4Rating',
  '4TrafficLights',
  '5Arrows',
  '5ArrowsGray',
  '5Rating',
  '5Quarters',
] as const;
export type IconSet = (typeof iconSets)[number];

/** A range is given in A1 notation of the sheet (`ref`) or as one column of the data (`column`, zero-based). */
export type RuleTarget = { readonly ref: string } | { readonly column: number };

export type ConditionalRule = { readonly target: RuleTarget } & (
  | {
      readonly type: 'cellIs';
      readonly operator: CellIsOperator;
      /** One value, two for (not)Between. */
      readonly values: readonly (number | string)[];
      readonly style: RuleStyle;
    }
  | { readonly type: 'containsText'; readonly text: string; readonly style: RuleStyle }
  | {
      readonly type: 'top' | 'bottom';
      readonly rank: number;
      readonly percent: boolean;
      readonly style: RuleStyle;
    }
  | { readonly type: 'aboveAverage'; readonly below: boolean; readonly style: RuleStyle }
  | { readonly type: 'duplicate'; readonly unique: boolean; readonly style: RuleStyle }
  /** Two or three colours from low to high. */
  | { readonly type: 'colorScale'; readonly colors: readonly Color[] }
  | { readonly type: 'dataBar'; readonly color?: Color }
  | {
      readonly type: 'iconSet';
      readonly iconSet: IconSet;
      readonly reverse: boolean;
      readonly showValue: boolean;
    }
  /** An Excel formula without the leading `=`. */
  | { readonly type: 'expression'; readonly formula: string; readonly style: RuleStyle }
);

export interface FreezePanes {
  readonly row: boolean;
  readonly column: boolean;
}

export interface WorkbookSpec {
  readonly title?: string;
  readonly columns: readonly WorkbookColumn[];
  /** `rows[row][column]`, every row as long as `columns`; absent cells are null. */
  readonly rows: readonly (readonly CellValue[])[];
  readonly styles: WorkbookStyles;
  readonly totals: readonly TotalsRow[];
  readonly conditionalRules: readonly ConditionalRule[];
  readonly freezePanes: FreezePanes;
  /** Present when a chart sheet is wanted. */
  readonly chartType?: ChartType;
  readonly logo?: ImageRef;
}
