import type { Table } from '../../../domain/documents/common.ts';
import type { Block, ReportContext } from '../report-context.ts';
import { addElement } from '../structure-tree.ts';
import { theme } from '../theme.ts';
import { type MeasuredTable, measureTable } from './table-columns.ts';
import { headerHeight, layOutTable, rowHeight, type TableLayout } from './table-layout.ts';
import { drawTable } from './table-pages.ts';

/**
 * A table with a header row that every page repeats. Rows never part, save one that is higher than a page; every
 * second one stands on the palette's surface.
 */
export function tableBlock(context: ReportContext, table: Table): Block {
  let layout: TableLayout | undefined;
  const layOut = (): TableLayout => {
    if (layout === undefined) {
      const measured: MeasuredTable = measureTable(table, context.flow.width, context.typesetter);
      layout = layOutTable(context, measured);
    }
    return layout;
  };
  return {
    gapBefore: theme.table.gapBefore,
    keepsWithNext: false,
    headHeight() {
      const laidOut = layOut();
      const first = laidOut.rows.row(0);
      const height = headerHeight(laidOut) + rowHeight(laidOut, first?.lineCount ?? 1);
      return Math.min(height, context.flow.pageHeight());
    },
    draw(parent) {
      drawTable(context, layOut(), addElement(parent, 'Table'));
      context.flow.y += theme.table.gapAfter;
    },
  };
}
