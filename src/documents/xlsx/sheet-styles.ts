import type { Alignment, Border, Fill, Font, Style } from 'exceljs';
import type { Align, Color } from '../../domain/documents/common.ts';
import type { WorkbookStyles } from '../../domain/documents/workbook-spec.ts';
import { isReadableOn, readableOn } from '../contrast.ts';
import { palettes } from '../palettes.ts';
import type { ColumnPlan } from './column-plan.ts';
import type { SheetPlan, TotalsPlan } from './sheet-plan.ts';

/** The colours and sizes of a workbook: the spec's own, or those of the corporate palette. */
export interface WorkbookTheme {
  readonly headerBackground: Color;
  readonly headerColor: Color;
  readonly alternateBackground: Color;
  readonly accent: Color;
  readonly title: Color;
  readonly text: Color;
  readonly muted: Color;
  readonly border: Color;
  /** Points. */
  readonly fontSize: number;
}

export function workbookTheme(styles: WorkbookStyles): WorkbookTheme {
  const palette = palettes.corporate;
  const headerBackground = styles.headerBg ?? palette.primary;
  return {
    headerBackground,
    headerColor: styles.headerColor ?? readableOn(headerBackground, palette.text),
    alternateBackground: styles.altRowBg ?? palette.surface,
    accent: styles.accentColor ?? palette.accent,
    title: isReadableOn('FFFFFF', headerBackground) ? headerBackground : palette.text,
    text: palette.text,
    muted: palette.muted,
    border: palette.border,
    fontSize: styles.fontSize ?? 11,
  };
}

/** The styles of the data sheet, by column; equal styles are one object, which exceljs then looks up once. */
export interface SheetStyles {
  readonly title: Partial<Style>;
  readonly header: readonly Partial<Style>[];
  /** Data rows: the first, third, … */
  readonly odd: readonly Partial<Style>[];
  readonly even: readonly Partial<Style>[];
  readonly totals: readonly (readonly Partial<Style>[])[];
}

export function sheetStyles(plan: SheetPlan, theme: WorkbookTheme): SheetStyles {
  const shared = new Map<string, Partial<Style>>();
  const share = (style: Partial<Style>): Partial<Style> => {
    const key = JSON.stringify(style);
    const known = shared.get(key);
    if (known !== undefined) return known;
    shared.set(key, style);
    return style;
  };
  const vertical = plan.columns.some(({ wrap }) => wrap) ? 'top' : 'middle';
  const header = (column: ColumnPlan) =>
    share({
      font: font(theme, theme.headerColor, { bold: true }),
      fill: solid(theme.headerBackground),
      // The filter's button stands at the right end of the cell.
      alignment: {
        ...aligned(column.align, column.align === 'right' ? 2 : 1),
        vertical: 'middle',
        wrapText: true,
      },
    });
  const data = (column: ColumnPlan, fill: Fill | undefined, ground: Color) =>
    share({
      numFmt: column.formatCode,
      font: font(theme, readableText(theme, ground)),
      ...(fill === undefined ? {} : { fill }),
      border: { bottom: edge(theme.border, 'hair') },
      alignment: { ...aligned(column.align), vertical, ...(column.wrap ? { wrapText: true } : {}) },
    });
  const total = (entry: TotalsPlan, first: boolean) => (column: ColumnPlan, index: number) =>
    share({
      numFmt: entry.cells.get(index)?.formatCode ?? 'General',
      font: font(theme, theme.text, { bold: true }),
      border: first ? { top: edge(theme.accent, 'medium') } : { top: edge(theme.border, 'hair') },
      alignment: { ...aligned(totalAlign(entry, column, index)), vertical: 'middle' },
    });
  return {
    title: share({
      font: font(theme, theme.title, { bold: true, size: theme.fontSize + 6 }),
      alignment: { horizontal: 'left', vertical: 'middle' },
      border: { bottom: edge(theme.accent, 'medium') },
    }),
    header: plan.columns.map(header),
    odd: plan.columns.map((column) => data(column, undefined, 'FFFFFF')),
    even: plan.columns.map((column) =>
      data(column, solid(theme.alternateBackground), theme.alternateBackground),
    ),
    totals: plan.totals.map((entry, index) => plan.columns.map(total(entry, index === 0))),
  };
}

function aligned(horizontal: Align, indent = 1): Partial<Alignment> {
  return horizontal === 'center' ? { horizontal } : { horizontal, indent };
}

function totalAlign(entry: TotalsPlan, column: ColumnPlan, index: number): Align {
  if (entry.cells.has(index)) return column.align === 'left' ? 'right' : column.align;
  return index === entry.labelColumn ? 'left' : column.align;
}

function readableText(theme: WorkbookTheme, ground: Color): Color {
  return isReadableOn(ground, theme.text) ? theme.text : readableOn(ground, theme.text);
}

export function font(
  theme: WorkbookTheme,
  color: Color,
  options: { readonly bold?: boolean; readonly italic?: boolean; readonly size?: number } = {},
): Partial<Font> {
  return {
    ...(options.bold ? { bold: true } : {}),
    ...(options.italic ? { italic: true } : {}),
    size: options.size ?? theme.fontSize,
    color: { argb: `FF${color}` },
    name: 'Calibri',
    family: 2,
  };
}

export function solid(color: Color): Fill {
  return { type: 'pattern', pattern: 'solid', fgColor: { argb: `FF${color}` } };
}

export function edge(color: Color, style: 'hair' | 'thin' | 'medium'): Partial<Border> {
  return { style, color: { argb: `FF${color}` } };
}
