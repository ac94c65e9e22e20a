import { fontFace } from '../../fonts/font-face.ts';
import { drawLines, drawLinesAsArtifact } from '../draw-text.ts';
import type { Form } from '../page-canvas.ts';
import type { ReportContext } from '../report-context.ts';
import { plainSpans } from '../rich-text.ts';
import { addElement, type StructureElement } from '../structure-tree.ts';
import { layOutText } from '../text-layout.ts';
import { baselineShare } from '../theme.ts';
import { columnSettings, headerHeight, type Row, rowHeight, type TableLayout } from './table-layout.ts';

/** Fewer lines of a row that parts are not left at a page's foot. */
const partLinesMin = 3;

/** Draws a table from the flow's place on, over as many pages as it needs. */
export function drawTable(context: ReportContext, layout: TableLayout, element: StructureElement): void {
  const { flow } = context;
  const tall =
    headerHeight(layout) + rowHeight(layout, Math.min(partLinesMin, layout.rows.row(0)?.lineCount ?? 1));
  flow.ensure(tall);
  const rows = createRowPainter(context, layout);
  drawHeader(context, layout, addElement(element, 'THead'));
  const body = addElement(element, 'TBody');
  rows.beginPage();
  let header: Form | undefined;
  const repeatHeader = () => {
    const { canvas, y } = flow;
    header ??= canvas.form(() => drawHeader(context, layout, undefined));
    const repeated = header;
    canvas.artifact(() => canvas.show(repeated), 'Pagination');
    flow.y = y + headerHeight(layout);
  };
  const turnPage = () => {
    rows.endPage();
    flow.newPage();
    repeatHeader();
    rows.beginPage();
  };
  const roomOfPage = flow.pageHeight() - headerHeight(layout);
  for (let index = 0; index < layout.rows.count; index++) {
    const row = layout.rows.row(index);
    if (row === undefined) break;
    const tableRow = addElement(body, 'TR');
    const cells = row.cells.map(() => addElement(tableRow, 'TD'));
    const whole = rowHeight(layout, row.lineCount);
    if (whole > flow.room() + 0.01 && whole <= roomOfPage) turnPage();
    let from = 0;
    while (from < row.lineCount) {
      const fitting = Math.floor((flow.room() + 0.01 - 2 * layout.paddingY) / layout.lineHeight);
      const left = row.lineCount - from;
      if (fitting < left && fitting < partLinesMin) {
        turnPage();
        continue;
      }
      const to = from + Math.min(left, fitting);
      rows.draw(row, cells, from, to, index % 2 === 1);
      from = to;
    }
  }
  rows.endPage();
  if (layout.rows.count === 0) drawEmptyRow(context, layout, body);
}

/** Draws the header at the flow's place: as the table's own where `section` is given, else as decoration. */
function drawHeader(
  context: ReportContext,
  layout: TableLayout,
  section: StructureElement | undefined,
): void {
  const { flow, palette } = context;
  const { canvas, y } = flow;
  const height = headerHeight(layout);
  canvas.artifact(() => canvas.rectangle(flow.left, y, flow.width, height, palette.primary));
  const row = section === undefined ? undefined : addElement(section, 'TR');
  const settings = columnSettings(layout, palette.onPrimary, context.isRightToLeft);
  layout.header.cells.forEach((lines, column) => {
    const setting = settings[column];
    if (setting === undefined || typeof lines === 'string') return;
    const top = y + (height - lines.length * layout.lineHeight) / 2;
    const cell =
      row === undefined ? undefined : addElement(row, 'TH', { attributes: '<</O/Table/Scope/Column>>' });
    if (lines.length === 0) return;
    if (cell === undefined) drawLinesAsArtifact(context, canvas, lines, top, setting);
    else drawLines(context, lines, top, setting, cell);
  });
  flow.y += height;
}

interface RowPainter {
  beginPage(): void;
  /** Draws the lines `from` to `to` of a row's cells and leaves the flow under them. */
  draw(row: Row, cells: readonly StructureElement[], from: number, to: number, isShaded: boolean): void;
  /** Draws the grounds and rules of the page's rows, under their text. */
  endPage(): void;
}

function createRowPainter(context: ReportContext, layout: TableLayout): RowPainter {
  const { flow, palette } = context;
  const { size, lineHeight, paddingY, table } = layout;
  const settings = columnSettings(layout, palette.text, context.isRightToLeft);
  const face = fontFace('sans', 'regular');
  const drop = lineHeight / 2 + size * baselineShare;
  const columnCount = settings.length;
  const widthOf = (column: number) => (table.ems[rowIndex * columnCount + column] ?? 0) * size;
  let shaded: (readonly [number, number, number, number])[] = [];
  let rules: number[] = [];
  let rowIndex = -1;
  let drawGround: ((draw: () => void) => void) | undefined;
  return {
    beginPage() {
      shaded = [];
      rules = [];
      drawGround = flow.canvas.reserveArtifact();
    },
    draw(row, cells, from, to, isShaded) {
      const { canvas, y } = flow;
      if (from === 0) rowIndex += 1;
      const height = rowHeight(layout, to - from);
      if (isShaded) shaded.push([flow.left, y, flow.width, height]);
      rules.push(y + height);
      for (let column = 0; column < columnCount; column++) {
        const [cell, setting, element] = [row.cells[column], settings[column], cells[column]];
        if (cell === undefined || setting === undefined || element === undefined) continue;
        if (typeof cell === 'string') {
          if (from > 0) continue;
          const rest =
            setting.align === undefined || setting.align === 'left' ? 0 : setting.width - widthOf(column);
          const x = setting.x + (setting.align === 'center' ? rest / 2 : rest);
          canvas.plainText(element, face, cell, x, y + paddingY + drop, size, palette.text);
          continue;
        }
        const part = from === 0 && to >= cell.length ? cell : cell.slice(from, to);
        if (part.length > 0) drawLines(context, part, y + paddingY, setting, element);
      }
      flow.y += height;
    },
    endPage() {
      const { canvas } = flow;
      drawGround?.(() => {
        canvas.rectangles(shaded, palette.surface);
        canvas.levelLines(flow.left, flow.width, rules, palette.border, 0.5);
      });
    },
  };
}

function drawEmptyRow(context: ReportContext, layout: TableLayout, body: StructureElement): void {
  const { flow, palette, typesetter } = context;
  const height = rowHeight(layout, 1);
  const cell = addElement(addElement(body, 'TR'), 'TD', {
    attributes: `<</O/Table/ColSpan ${layout.lefts.length}>>`,
  });
  const lines = layOutText(plainSpans('No data'), flow.width, layout.size, typesetter);
  const setting = {
    x: flow.left,
    width: flow.width,
    size: layout.size,
    lineHeight: height,
    color: palette.muted,
    align: 'center' as const,
  };
  drawLines(context, lines, flow.y, setting, cell);
  const { canvas } = flow;
  canvas.artifact(() => canvas.levelLines(flow.left, flow.width, [flow.y + height], palette.border, 0.5));
  flow.y += height;
}
