import type { FillRows } from '../../../src/documents/xlsx/workbook-structure.ts';

/** Puts every cell into the sheet through exceljs: the slow path that the written rows must equal. */
export function exceljsRows(heights: ReadonlyMap<number, number>): FillRows {
  return (sheet, plan, styles) => {
    const fill = (row: number, cellStyles: readonly object[], values: readonly unknown[]) => {
      for (const [index, style] of cellStyles.entries()) {
        const cell = sheet.getCell(row, index + 1);
        cell.value = (values[index] ?? null) as never;
        cell.style = style;
      }
    };
    for (const [row, height] of heights) sheet.getRow(row).height = height;
    if (plan.titleRow !== undefined) {
      fill(
        plan.titleRow,
        plan.columns.map(() => styles.title),
        [plan.title],
      );
    }
    fill(
      plan.headerRow,
      styles.header,
      plan.columns.map(({ header }) => header || null),
    );
    for (const [index, row] of plan.cells.entries()) {
      fill(plan.firstRow + index, index % 2 === 0 ? styles.odd : styles.even, row);
    }
    for (const [index, total] of plan.totals.entries()) {
      const values = plan.columns.map((_, column) => {
        const cell = total.cells.get(column);
        if (cell !== undefined) return { formula: cell.formula, result: cell.result };
        return column === total.labelColumn ? total.label : null;
      });
      fill(total.row, styles.totals[index] ?? [], values);
    }
  };
}
