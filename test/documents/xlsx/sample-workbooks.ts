import type { CellValue, ChartType } from '../../../src/domain/documents/common.ts';
import type { WorkbookColumn, WorkbookSpec } from '../../../src/domain/documents/workbook-spec.ts';
import type { RenderInput } from '../../../src/ports/renderer.ts';

export const createdAtMs = Date.UTC(2026, 2, 14, 9, 26, 53);

export function inputOf(spec: WorkbookSpec): RenderInput<WorkbookSpec> {
  return { spec, images: new Map(), createdAtMs };
}

export function workbookOf(
  columns: readonly WorkbookColumn[],
  rows: readonly (readonly CellValue[])[],
  rest: Partial<WorkbookSpec> = {},
): WorkbookSpec {
  return {
    columns,
    rows,
    styles: {},
    totals: [],
    conditionalRules: [],
    freezePanes: { row: true, column: false },
    ...rest,
  };
}

const months = ['January', 'February', 'March', 'April', 'May', 'June', 'July', 'August'];

/** A report with a title, every kind of column and two totals rows. */
export const salesReport: WorkbookSpec = workbookOf(
  [
    { key: 'month', header: 'Month' },
    { key: 'closed', header: 'Closed on', format: { kind: 'date' } },
    { key: 'revenue', header: 'Revenue', format: { kind: 'currency', currency: 'EUR' } },
    { key: 'cost', header: 'Cost', format: { kind: 'currency', currency: 'EUR' } },
    { key: 'margin', header: 'Margin', format: { kind: 'percent' } },
    { key: 'orders', header: 'Orders', format: { kind: 'integer' } },
    { key: 'audited', header: 'Audited', format: { kind: 'boolean' } },
    { key: 'note', header: 'Note' },
  ],
  months.map((month, index) => [
    month,
    `2026-${String(index + 1).padStart(2, '0')}-28`,
    120_000 + index * 8_250.5 - (index % 3) * 14_000,
    index === 3 ? -1_250.75 : 90_000 + index * 3_300,
    0.21 + index * 0.013,
    1_204 + index * 37,
    index % 2 === 0,
    index === 2 ? '=SUM(A1:A9) is only text' : index === 5 ? '四半期の締め' : null,
  ]),
  {
    title: 'Sales report 2026',
    totals: [
      { type: 'SUM', columns: [2, 3, 5], label: 'Total' },
      { type: 'AVERAGE', columns: [2, 3, 4, 5] },
    ],
  },
);

export function chartWorkbook(type: ChartType): WorkbookSpec {
  return { ...salesReport, chartType: type };
}
