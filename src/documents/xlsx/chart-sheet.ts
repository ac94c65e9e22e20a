import type { Style, Worksheet } from 'exceljs';
import type { ChartType } from '../../domain/documents/common.ts';
import { chartPartXml } from '../charts/drawingml/chart-part.ts';
import { type Palette, palettes } from '../palettes.ts';
import { type ChartData, chartData } from './chart-data.ts';
import type { ChartTable, TabledChart } from './chart-table.ts';
import { roundChart } from './round-chart.ts';
import { sheetName } from './sheet-name.ts';
import type { SheetPlan } from './sheet-plan.ts';
import { edge, font, solid, type WorkbookTheme } from './sheet-styles.ts';
import { waterfallChart } from './waterfall-chart.ts';

/** The sheet that shows the chart. */
export interface ChartSheet {
  readonly name: string;
  /** The chart part. */
  readonly chartXml: string;
  /** What the picture shows, for those who cannot see it. */
  readonly altText: string;
  readonly notes: readonly string[];
  /** Whether chart and table stand on one printed page. */
  readonly fitsPage: boolean;
  /** Puts notes and the chart's own table under the place of the chart. */
  readonly fill: (sheet: Worksheet, theme: WorkbookTheme) => void;
}

/** Size of the chart in EMU: 26 by 13.5 cm, a landscape A4 page across. */
export const chartSize = { width: 9_360_000, height: 4_860_000 } as const;
/** Below the chart, at 190,500 EMU for a row of 15 points. */
const noteRow = 28;
const tableHeaderRow = 31;
const tableRowsOnPage = 30;

/** @throws `spec_invalid` when there is no numeric column to draw. */
export function planChartSheet(type: ChartType, plan: SheetPlan, theme: WorkbookTheme): ChartSheet {
  const name = sheetName('Chart', 'Chart', [plan.name]);
  const palette = chartPalette(theme);
  const place = { sheet: name, headerRow: tableHeaderRow };
  const drawn = shaped(chartData(type, plan.title, plan, palette));
  const { chart, series, ranges, categoryNumbers } = drawn;
  const shown = chart.datasets.map(({ label }) => label).join(', ');
  return {
    name,
    chartXml: chartPartXml(chart, {
      palette,
      ranges,
      series,
      ...(categoryNumbers === undefined ? {} : { categoryNumbers }),
    }),
    altText: `${type} chart of ${shown} by ${chart.options.xAxisTitle ?? 'row'}`,
    notes: drawn.notes,
    fitsPage: !('table' in drawn) || drawn.table.rows.length <= tableRowsOnPage,
    fill: (sheet, workbookTheme) => {
      for (const [index, note] of drawn.notes.entries()) {
        const cell = sheet.getCell(noteRow + index, 1);
        cell.value = note;
        cell.style = { font: font(workbookTheme, workbookTheme.muted, { italic: true }) };
      }
      sheet.getColumn(1).width = 24;
      if ('table' in drawn) fillTable(sheet, drawn.table, workbookTheme);
    },
  };

  function shaped(data: ChartData): ChartData | TabledChart {
    if (type === 'waterfall') return waterfallChart(data, plan, palette, place);
    return type === 'pie' || type === 'doughnut' ? roundChart(data, plan, palette, place) : data;
  }
}

/** The workbook's own accent leads the series. */
function chartPalette(theme: WorkbookTheme): Palette {
  const base = palettes.corporate;
  const [, ...others] = base.series;
  return { ...base, primary: theme.title, accent: theme.accent, series: [theme.accent, ...others] };
}

function fillTable(sheet: Worksheet, table: ChartTable, theme: WorkbookTheme): void {
  const headerStyle = (index: number): Partial<Style> => ({
    font: font(theme, theme.headerColor, { bold: true }),
    fill: solid(theme.headerBackground),
    alignment: { horizontal: index === 0 ? 'left' : 'right', vertical: 'middle', wrapText: true, indent: 1 },
  });
  for (const [index, header] of table.headers.entries()) {
    const cell = sheet.getCell(tableHeaderRow, index + 1);
    cell.value = header;
    cell.style = headerStyle(index);
    if (index > 0) sheet.getColumn(index + 1).width = 15;
  }
  sheet.getRow(tableHeaderRow).height = Math.round(theme.fontSize * 1.35 * 2 + 6);
  for (const [rowIndex, row] of table.rows.entries()) {
    for (const [index, { formula, value, formatCode }] of row.entries()) {
      const cell = sheet.getCell(tableHeaderRow + 1 + rowIndex, index + 1);
      cell.value = formula === undefined ? value : { formula, result: value ?? 0 };
      cell.style = {
        numFmt: formatCode,
        font: font(theme, theme.text),
        border: { bottom: edge(theme.border, 'hair') },
        alignment: { horizontal: index === 0 ? 'left' : 'right', vertical: 'middle', indent: 1 },
      };
    }
  }
}
