/** The value of one table cell. Dates are text (ISO 8601) or numbers (Unix milliseconds) until a column format says so. */
export type CellValue = string | number | boolean | null;

export type Align = 'left' | 'center' | 'right';

/** Six upper-case hexadecimal digits, red, green, blue, without `#`. */
export type Color = string;

export const paletteNames = ['corporate', 'ocean', 'forest', 'sunset', 'slate', 'finance', 'modern'] as const;
export type PaletteName = (typeof paletteNames)[number];

export const chartTypes = [
  'bar',
  'line',
  'pie',
  'doughnut',
  'area',
  'stacked',
  'combo',
  'waterfall',
] as const;
export type ChartType = (typeof chartTypes)[number];

/** One series. `data[i]` belongs to `labels[i]` of the chart; null is a gap; never longer than the labels. */
export interface ChartDataset {
  readonly label: string;
  readonly data: readonly (number | null)[];
  readonly color?: Color;
  /** Only in a `combo`: how this series is drawn (bars on the first axis, lines on the second by default). */
  readonly type?: 'bar' | 'line' | 'area';
}

export interface ChartOptions {
  /** Legend shown; default: when there is more than one series, and for pie and doughnut. */
  readonly legend?: boolean;
  readonly legendPosition?: 'top' | 'right' | 'bottom' | 'left';
  /** Values written at the data points; default: where they help and fit. */
  readonly dataLabels?: boolean;
  readonly xAxisTitle?: string;
  readonly yAxisTitle?: string;
  /** Title of the second value axis of a `combo`. */
  readonly secondaryAxisTitle?: string;
  readonly numberFormat?: ColumnFormat;
  /** Indices into the labels that a `waterfall` draws as totals from zero; default: none in charts of a spec. */
  readonly totals?: readonly number[];
}

export interface Chart {
  readonly type: ChartType;
  readonly title?: string;
  readonly labels: readonly string[];
  readonly datasets: readonly ChartDataset[];
  readonly options: ChartOptions;
}

/** How numbers, dates and text of a column are shown. A `custom` code is an Excel number format. */
export type ColumnFormat =
  | { readonly kind: 'text' | 'number' | 'integer' | 'percent' | 'date' | 'datetime' | 'time' | 'boolean' }
  /** ISO 4217 code. */
  | { readonly kind: 'currency'; readonly currency: string }
  | { readonly kind: 'custom'; readonly code: string };

/** A column of a table in PDF, PPTX and DOCX. */
export interface TableColumn {
  readonly header: string;
  readonly align?: Align;
  readonly format?: ColumnFormat;
  /** Relative width; columns without one share the rest by their content. */
  readonly width?: number;
}

/** `rows[row][column]`, every row as long as `columns`; absent cells are null. */
export interface Table {
  readonly columns: readonly TableColumn[];
  readonly rows: readonly (readonly CellValue[])[];
}

export interface Metric {
  readonly label: string;
  readonly value: string;
}

/** A picture of a spec. `asset` is its key in `RenderInput.images`; engines never see the reference itself. */
export interface ImageRef {
  readonly asset: string;
  /** Alternative text; empty for a decorative picture. */
  readonly alt: string;
}

export interface SectionImage extends ImageRef {
  readonly caption?: string;
  /** Inches. */
  readonly width?: number;
}

/** A checked picture: header read, size within the limits, bytes in a form that every engine embeds. */
export interface ImageAsset {
  readonly kind: 'png' | 'jpeg';
  /** Pixels. */
  readonly width: number;
  readonly height: number;
  readonly bytes: Uint8Array;
}
