import type { WorkbookSpec } from '../../domain/documents/workbook-spec.ts';
import type { RenderedDocument, RenderInput } from '../../ports/renderer.ts';
import { columnName } from '../ooxml/cell-reference.ts';
import { writeZip } from '../ooxml/zip.ts';
import { planChartSheet } from './chart-sheet.ts';
import { finishRules } from './conditional-rules.ts';
import { addChartParts, describeLogo } from './drawing-parts.ts';
import { type ExceljsModel, type ExceljsSheet, exceljsParts } from './exceljs-package.ts';
import { orderFonts } from './font-order.ts';
import { rowHeights } from './row-heights.ts';
import { SharedStrings } from './shared-strings.ts';
import { planSheet, type SheetPlan } from './sheet-plan.ts';
import { type RowStyleIds, sheetRows } from './sheet-rows.ts';
import { sheetStyles, workbookTheme } from './sheet-styles.ts';
import { sampleRows, workbookStructure } from './workbook-structure.ts';

/** Past level 4 a workbook gets a few per cent smaller and takes half as long again. */
const compressionLevel = 4;
const dataSheetPart = 'xl/worksheets/sheet1.xml';
const stylesPart = 'xl/styles.xml';

/**
 * Renders a workbook: exceljs builds its structure, the rows are written as strings with the style ids that exceljs
 * gave, a chart is added as a DrawingML part, and everything is packed in one pass.
 *
 * @throws `spec_invalid` when a chart has no numeric column, or a rule's range or formula is none.
 */
export async function renderWorkbook(input: RenderInput<WorkbookSpec>): Promise<RenderedDocument> {
  const { spec } = input;
  const plan = planSheet(spec);
  const theme = workbookTheme(spec.styles);
  const styles = sheetStyles(plan, theme);
  const heights = rowHeights(plan, theme);
  const chartSheet = spec.chartType === undefined ? undefined : planChartSheet(spec.chartType, plan, theme);
  const workbook = workbookStructure(input, plan, styles, theme, chartSheet, sampleRows);

  let rows: Buffer[] = [];
  const parts = await exceljsParts(workbook, (model) => {
    const strings = new SharedStrings(model.sharedStrings.values, model.sharedStrings.count);
    rows = [...sheetRows(plan, rowStyleIds(model, plan), heights, strings)];
    model.sharedStrings = strings;
    const [sheet] = model.worksheets;
    if (sheet !== undefined) emptySheet(sheet, plan);
  });
  const sheetXml = parts.get(dataSheetPart);
  if (typeof sheetXml !== 'string') throw new Error('xlsx: no data sheet');
  const [head = '', tail = ''] = finishSheet(sheetXml, spec, plan).split('<sheetData/>');
  parts.set(
    dataSheetPart,
    Buffer.concat([Buffer.from(`${head}<sheetData>`), ...rows, Buffer.from(`</sheetData>${tail}`)]),
  );
  parts.set(stylesPart, orderFonts(String(parts.get(stylesPart))));
  if (chartSheet !== undefined) addChartParts(parts, chartSheet, 2);
  if (spec.logo !== undefined && input.images.has(spec.logo.asset)) describeLogo(parts, spec.logo.alt);
  return { bytes: writeZip(parts, { level: compressionLevel }), warnings: chartSheet?.notes ?? [] };
}

function rowStyleIds(model: ExceljsModel, plan: SheetPlan): RowStyleIds {
  const rows = new Map(model.worksheets[0]?.rows.map((row) => [row.number, row.cells]));
  const ids = (row: number | undefined) =>
    row === undefined ? [] : (rows.get(row) ?? []).map(({ styleId }) => styleId ?? 0);
  return {
    title: ids(plan.titleRow),
    header: ids(plan.headerRow),
    odd: ids(plan.firstRow),
    even: ids(plan.firstRow + 1),
    totals: plan.totals.map(({ row }) => ids(row)),
  };
}

/** Takes the sample rows out and gives the sheet the dimension of the real ones. */
function emptySheet(sheet: ExceljsSheet, plan: SheetPlan): void {
  sheet.rows = [];
  const { model } = sheet.dimensions;
  model.top = plan.titleRow ?? plan.headerRow;
  model.bottom = plan.totals.at(-1)?.row ?? plan.headerRow + plan.cells.length;
  model.left = 1;
  model.right = plan.columns.length;
}

/** Adds what exceljs cannot write: some rules, and that numbers kept as text are meant to be text. */
export function finishSheet(sheetXml: string, spec: WorkbookSpec, plan: SheetPlan): string {
  const xml = finishRules(sheetXml, spec.conditionalRules);
  const textRanges = plan.columns.flatMap(({ hasNumberLikeText }, index) => {
    const letters = columnName(index);
    return hasNumberLikeText ? [`${letters}${plan.firstRow}:${letters}${plan.lastRow}`] : [];
  });
  if (textRanges.length === 0) return xml;
  const ignored = `<ignoredErrors><ignoredError sqref="${textRanges.join(' ')}" numberStoredAsText="1"/></ignoredErrors>`;
  return xml.replace('</headerFooter>', `</headerFooter>${ignored}`);
}
