import ExcelJS, { type Worksheet } from 'exceljs';
import type { WorkbookSpec } from '../../domain/documents/workbook-spec.ts';
import type { RenderInput } from '../../ports/renderer.ts';
import { columnName } from '../ooxml/cell-reference.ts';
import type { ChartSheet } from './chart-sheet.ts';
import { planRules } from './conditional-rules.ts';
import { defaultRowHeight, logoHeightPx } from './row-heights.ts';
import type { SheetPlan } from './sheet-plan.ts';
import type { SheetStyles, WorkbookTheme } from './sheet-styles.ts';

/** Puts rows into the data sheet that exceljs is to write; `sampleRows` is the engine's own. */
export type FillRows = (sheet: Worksheet, plan: SheetPlan, styles: SheetStyles) => void;

const producer = 'Service';
/** Characters across an A4 page in portrait at the default font. */
const portraitWidth = 92;
const logoWidthMaxPx = 320;

/**
 * Builds the workbook with exceljs: sheets, columns, styles, views, filter, rules, print set-up, picture, properties.
 * Its data sheet holds the rows that `fillRows` puts there.
 */
export function workbookStructure(
  input: RenderInput<WorkbookSpec>,
  plan: SheetPlan,
  styles: SheetStyles,
  theme: WorkbookTheme,
  chartSheet: ChartSheet | undefined,
  fillRows: FillRows,
): ExcelJS.Workbook {
  const { spec } = input;
  const workbook = new ExcelJS.Workbook();
  const created = new Date(input.createdAtMs);
  Object.assign(workbook, {
    creator: producer,
    lastModifiedBy: producer,
    created,
    modified: created,
    title: plan.title ?? plan.name,
  });
  workbook.views = [
    { x: 0, y: 0, width: 24_000, height: 14_000, firstSheet: 0, activeTab: 0, visibility: 'visible' },
  ];
  const sheet = workbook.addWorksheet(plan.name, {
    properties: { tabColor: { argb: `FF${theme.accent}` }, defaultRowHeight: defaultRowHeight(theme) },
    views: [sheetView(spec, plan)],
    pageSetup: {
      ...pageSetup,
      orientation:
        plan.widths.reduce((sum, width) => sum + width, 0) > portraitWidth ? 'landscape' : 'portrait',
      fitToHeight: 0,
      printTitlesRow: `${plan.headerRow}:${plan.headerRow}`,
    },
    headerFooter: { oddFooter: '&C&9&P / &N', ...printHeader(plan) },
  });
  sheet.columns = plan.widths.map((width) => ({ width }));
  fillRows(sheet, plan, styles);
  const lastColumn = columnName(plan.columns.length - 1);
  sheet.autoFilter = `A${plan.headerRow}:${lastColumn}${plan.lastRow}`;
  for (const { ref, rule } of planRules(spec.conditionalRules, plan, theme)) {
    sheet.addConditionalFormatting({ ref, rules: [rule] });
  }
  addLogo(workbook, sheet, input, plan);
  if (chartSheet !== undefined) addChartSheet(workbook, chartSheet, theme);
  return workbook;
}

/** The title above every printed page, unless it stands on the sheet (ECMA-376 Part 1, 18.3.1.46). */
function printHeader({ title, titleRow }: SheetPlan): { readonly oddHeader?: string } {
  if (title === undefined || titleRow !== undefined) return {};
  const line = title.replace(/\s+/g, ' ').trim();
  const shown =
    line.length > printHeaderCharsMax ? `${line.slice(0, printHeaderCharsMax - 1).trimEnd()}…` : line;
  return { oddHeader: `&L&12&"-,Bold"${shown.toWellFormed().replaceAll('&', '&&')}` };
}

/** The whole header may have 255 characters, and every `&` of the title counts twice. */
const printHeaderCharsMax = 110;

const pageSetup = {
  paperSize: 9,
  fitToPage: true,
  fitToWidth: 1,
  margins: { left: 0.5, right: 0.5, top: 0.75, bottom: 0.7, header: 0.3, footer: 0.3 },
} as const;

function sheetView({ freezePanes }: WorkbookSpec, plan: SheetPlan): Worksheet['views'][number] {
  const shared = { showGridLines: false, zoomScale: 100, zoomScaleNormal: 100 } as const;
  if (!freezePanes.row && !freezePanes.column) return { ...shared, state: 'normal' };
  const xSplit = freezePanes.column ? 1 : 0;
  const ySplit = freezePanes.row ? plan.headerRow : 0;
  return { ...shared, state: 'frozen', xSplit, ySplit, topLeftCell: `${columnName(xSplit)}${ySplit + 1}` };
}

/** One row of each kind, without text: exceljs gives every style its id, and the real rows are written later. */
export const sampleRows: FillRows = (sheet, plan, styles) => {
  const addRow = (row: number, cells: readonly object[]) => {
    for (const [index, style] of cells.entries()) sheet.getCell(row, index + 1).style = style;
  };
  if (plan.titleRow !== undefined) {
    addRow(
      plan.titleRow,
      plan.columns.map(() => styles.title),
    );
  }
  addRow(plan.headerRow, styles.header);
  if (plan.cells.length > 0) addRow(plan.firstRow, styles.odd);
  if (plan.cells.length > 1) addRow(plan.firstRow + 1, styles.even);
  for (const [index, total] of plan.totals.entries()) addRow(total.row, styles.totals[index] ?? []);
};

function addLogo(
  workbook: ExcelJS.Workbook,
  sheet: Worksheet,
  { spec, images }: RenderInput<WorkbookSpec>,
  plan: SheetPlan,
): void {
  const asset = spec.logo === undefined ? undefined : images.get(spec.logo.asset);
  if (asset === undefined || plan.logoRow === undefined) return;
  const scale = Math.min(logoHeightPx / asset.height, logoWidthMaxPx / asset.width);
  const id = workbook.addImage({
    buffer: Buffer.from(asset.bytes) as unknown as ExcelJS.Buffer,
    extension: asset.kind,
  });
  sheet.addImage(id, {
    tl: { col: 0, row: plan.logoRow - 1 },
    ext: {
      width: Math.max(1, Math.round(asset.width * scale)),
      height: Math.max(1, Math.round(asset.height * scale)),
    },
  });
}

function addChartSheet(workbook: ExcelJS.Workbook, chartSheet: ChartSheet, theme: WorkbookTheme): void {
  const sheet = workbook.addWorksheet(chartSheet.name, {
    properties: { tabColor: { argb: `FF${theme.headerBackground}` } },
    views: [{ showGridLines: false, state: 'normal' }],
    pageSetup: {
      ...pageSetup,
      orientation: 'landscape',
      fitToHeight: chartSheet.fitsPage ? 1 : 0,
      horizontalCentered: true,
    },
    headerFooter: { oddFooter: '&C&9&P / &N' },
  });
  chartSheet.fill(sheet, theme);
}
