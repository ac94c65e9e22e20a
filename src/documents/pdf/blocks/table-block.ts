import type { Align, Table } from '../../../domain/documents/common.ts';
import { drawLines, drawLinesAsArtifact, type TextSetting } from '../draw-text.ts';
import type { Block, ReportContext } from '../report-context.ts';
import { bold, plainSpans, regular, type TextSpan } from '../rich-text.ts';
import { addElement, type StructureElement } from '../structure-tree.ts';
import { layOutText, type TextLine } from '../text-layout.ts';
import { theme } from '../theme.ts';
import { type MeasuredTable, measureTable } from './table-columns.ts';

interface Row {
  readonly cells: readonly (readonly TextLine[])[];
  readonly lineCount: number;
}

const headerLinesMax = 12;

/**
 * A table with a header row that every page repeats. Rows never part, save one that is higher than a page; every
 * second one stands on the palette's surface.
 */
export function tableBlock(context: ReportContext, table: Table): Block {
  let measured: MeasuredTable | undefined;
  const measure = () => {
    measured ??= measureTable(table, context.flow.width, context.typesetter);
    return measured;
  };
  const layOut = () => createTablePainter(context, measure());
  return {
    gapBefore: theme.table.gapBefore,
    keepsWithNext: false,
    headHeight() {
      const painter = layOut();
      const first = painter.bodyRow(0);
      const height =
        painter.headerHeight +
        (first === undefined ? painter.rowHeight(1) : painter.rowHeight(first.lineCount));
      return Math.min(height, context.flow.pageHeight());
    },
    draw(parent) {
      layOut().draw(addElement(parent, 'Table'));
      context.flow.y += theme.table.gapAfter;
    },
  };
}

function createTablePainter(context: ReportContext, table: MeasuredTable) {
  const { flow, palette, typesetter } = context;
  const { size, paddingX, widths, aligns } = table;
  const paddingY = (theme.table.paddingY * size) / theme.table.size;
  const lineHeight = size * 1.35;
  const order = context.isRightToLeft
    ? widths.map((_, index) => widths.length - 1 - index)
    : widths.map((_, index) => index);
  const lefts: number[] = [];
  let left = flow.left;
  for (const column of order) {
    lefts[column] = left;
    left += widths[column] ?? 0;
  }

  const settings = (color: string): TextSetting[] =>
    widths.map((width, index) => ({
      x: (lefts[index] ?? 0) + paddingX,
      width: width - 2 * paddingX,
      size,
      lineHeight,
      color,
      ...alignment(aligns[index] ?? 'left', context.isRightToLeft),
    }));
  const bodySettings = settings(palette.text);
  const headerSettings = settings(palette.onPrimary);

  const cellLines = (text: string, look: typeof bold, column: number): TextLine[] => {
    if (text === '') return [];
    const width = (widths[column] ?? 0) - 2 * paddingX;
    if (/[\n\r]/.test(text)) {
      return text.split(/\r\n|[\n\r]/).flatMap((line) => cellLines(line.trimEnd(), look, column));
    }
    const plain = singleLine(text, look, width, context, size);
    return plain === undefined ? layOutText(plainSpans(text, look), width, size, typesetter) : [plain];
  };
  const rowOf = (texts: readonly string[], look: typeof bold): Row => {
    const cells = texts.map((text, column) => cellLines(text, look, column));
    return { cells, lineCount: cells.reduce((most, lines) => Math.max(most, lines.length), 1) };
  };
  const header = rowOf(table.headers, bold);
  const headerLines = Math.min(header.lineCount, headerLinesMax);
  const rowHeight = (lineCount: number) => lineCount * lineHeight + 2 * paddingY;
  const headerHeight = rowHeight(headerLines);
  const bodyRow = (index: number): Row | undefined => {
    const texts = table.cells[index];
    return texts === undefined ? undefined : rowOf(texts, regular);
  };

  const drawHeader = (section: StructureElement | undefined): void => {
    const { canvas, y } = flow;
    canvas.artifact(() => canvas.rectangle(flow.left, y, flow.width, headerHeight, palette.primary));
    const row = section === undefined ? undefined : addElement(section, 'TR');
    header.cells.forEach((lines, column) => {
      const setting = headerSettings[column];
      const shown = lines.slice(0, headerLines);
      if (setting === undefined) return;
      const top = y + (headerHeight - shown.length * lineHeight) / 2;
      if (row === undefined) {
        if (shown.length > 0) drawLinesAsArtifact(context, canvas, shown, top, setting);
        return;
      }
      const cell = addElement(row, 'TH', { attributes: '<</O/Table/Scope/Column>>' });
      if (shown.length > 0) drawLines(context, shown, top, setting, cell);
    });
    flow.y += headerHeight;
  };

  const drawRowPart = (
    row: Row,
    elements: StructureElement[],
    from: number,
    to: number,
    isShaded: boolean,
  ): void => {
    const { canvas, y } = flow;
    const height = rowHeight(to - from);
    canvas.artifact(() => {
      if (isShaded) canvas.rectangle(flow.left, y, flow.width, height, palette.surface);
      canvas.rectangle(flow.left, y + height - 0.25, flow.width, 0.5, palette.border);
    });
    row.cells.forEach((lines, column) => {
      const part = from === 0 && to >= lines.length ? lines : lines.slice(from, to);
      const [setting, element] = [bodySettings[column], elements[column]];
      if (part.length === 0 || setting === undefined || element === undefined) return;
      drawLines(context, part, y + paddingY, setting, element);
    });
    flow.y += height;
  };

  const drawRow = (row: Row, body: StructureElement, isShaded: boolean): void => {
    const element = addElement(body, 'TR');
    const elements = row.cells.map(() => addElement(element, 'TD'));
    const turnPage = () => {
      flow.newPage();
      drawHeader(undefined);
    };
    const whole = rowHeight(row.lineCount);
    if (whole > flow.room() + 0.01 && whole <= flow.pageHeight() - headerHeight) turnPage();
    let from = 0;
    while (from < row.lineCount) {
      const fitting = Math.floor((flow.room() + 0.01 - 2 * paddingY) / lineHeight);
      if (fitting < 1 || (fitting < 3 && row.lineCount - from > fitting)) {
        turnPage();
        if (flow.room() < rowHeight(1)) throw new Error('a page has no room for one line of a table');
        continue;
      }
      const to = Math.min(row.lineCount, from + fitting);
      drawRowPart(row, elements, from, to, isShaded);
      from = to;
    }
  };

  return {
    headerHeight,
    rowHeight,
    bodyRow,
    draw(element: StructureElement): void {
      flow.ensure(headerHeight + rowHeight(Math.min(3, bodyRow(0)?.lineCount ?? 1)));
      drawHeader(addElement(element, 'THead'));
      const body = addElement(element, 'TBody');
      for (let index = 0; index < table.cells.length; index++) {
        const row = bodyRow(index);
        if (row !== undefined) drawRow(row, body, index % 2 === 1);
      }
      if (table.cells.length === 0) drawEmptyRow(context, body, widths.length, rowHeight(1), size);
    },
  };
}

function drawEmptyRow(
  context: ReportContext,
  body: StructureElement,
  columns: number,
  height: number,
  size: number,
): void {
  const { flow, palette, typesetter } = context;
  const cell = addElement(addElement(body, 'TR'), 'TD', { attributes: `<</O/Table/ColSpan ${columns}>>` });
  const lines = layOutText(plainSpans('No data'), flow.width, size, typesetter);
  const setting = {
    x: flow.left,
    width: flow.width,
    size,
    lineHeight: height,
    color: palette.muted,
    align: 'center' as const,
  };
  drawLines(context, lines, flow.y, setting, cell);
  flow.canvas.artifact(() =>
    flow.canvas.rectangle(flow.left, flow.y + height - 0.25, flow.width, 0.5, palette.border),
  );
  flow.y += height;
}

const plainAscii = /^[\x20-\x7e]*$/;

/** The line of a cell that fits on one, made without the line breaker; undefined when it does not or may not. */
function singleLine(
  text: string,
  look: typeof bold,
  width: number,
  context: ReportContext,
  size: number,
): TextLine | undefined {
  if (text.length > 300 || !plainAscii.test(text)) return undefined;
  const natural = (context.typesetter.measure(text, look) * size) / 1000;
  if (natural > width) return undefined;
  const span: TextSpan = { ...look, text };
  return { pieces: [{ text, span, isRightToLeft: false }], width: natural, isRightToLeft: false };
}

/** Columns of text in a report that runs from right to left begin at the right, unless their text says otherwise. */
function alignment(align: Align, isRightToLeft: boolean): { readonly align?: Align } {
  if (align === 'left') return isRightToLeft ? { align: 'right' } : {};
  return { align };
}
