import type { Metric } from '../../../domain/documents/common.ts';
import { drawLines } from '../draw-text.ts';
import type { Block, ReportContext } from '../report-context.ts';
import { bold, plainSpans } from '../rich-text.ts';
import { addElement, type StructureElement } from '../structure-tree.ts';
import { fitText, layOutText, type TextLine } from '../text-layout.ts';
import { theme } from '../theme.ts';

interface Card {
  readonly value: readonly TextLine[];
  readonly valueSize: number;
  readonly label: readonly TextLine[];
  readonly height: number;
}

const labelLinesMax = 4;
const valueLinesMax = 3;

/**
 * Metric cards in one row; four or five whose values would be squeezed stand in two rows.
 *
 * A value shrinks to its card, then wraps; what is beyond three lines is cut with an ellipsis and a warning.
 */
export function summaryBlock(context: ReportContext, metrics: readonly Metric[]): Block {
  const rows = arrange(context, metrics).map((row) => layOutRow(context, row));
  const rowHeight = (row: readonly Card[]) => Math.max(...row.map((card) => card.height));
  const height = rows.reduce((sum, row) => sum + rowHeight(row) + theme.card.gap, -theme.card.gap);
  return {
    gapBefore: 4,
    keepsWithNext: false,
    headHeight: () => height,
    draw(parent) {
      const list = addElement(parent, 'L', { attributes: '<</O/List/ListNumbering/None>>' });
      const { flow } = context;
      flow.ensure(height);
      for (const row of rows) {
        const width = cardWidth(context, row.length);
        row.forEach((card, index) => {
          const place = context.isRightToLeft ? row.length - 1 - index : index;
          drawCard(context, card, flow.left + place * (width + theme.card.gap), width, rowHeight(row), list);
        });
        flow.y += rowHeight(row) + theme.card.gap;
      }
      flow.y += theme.card.gapAfter - theme.card.gap;
    },
  };
}

function cardWidth(context: ReportContext, count: number): number {
  return (context.flow.width - (count - 1) * theme.card.gap) / count;
}

function textWidth(context: ReportContext, count: number): number {
  return cardWidth(context, count) - 2 * theme.card.padding;
}

/** Splits the cards into rows: the longer row first. */
function arrange(context: ReportContext, metrics: readonly Metric[]): Metric[][] {
  const width = (textWidth(context, metrics.length) * 1000) / (theme.card.valueSize * 0.72);
  const isTight = metrics.some((metric) => context.typesetter.measure(firstLine(metric.value), bold) > width);
  if (metrics.length < 4 || !isTight) return [[...metrics]];
  const firstRow = Math.ceil(metrics.length / 2);
  return [metrics.slice(0, firstRow), metrics.slice(firstRow)];
}

/** The cards of a row: their values share the size that the widest of them needs. */
function layOutRow(context: ReportContext, metrics: readonly Metric[]): Card[] {
  const { padding, valueSize: largest, valueSizeMin, labelSize } = theme.card;
  const width = textWidth(context, metrics.length);
  const values = metrics.map((metric) => firstLine(metric.value));
  const widest = values.reduce(
    (most, value) => Math.max(most, context.typesetter.measure(value.slice(0, 200), bold) / 1000),
    0,
  );
  const valueSize = Math.max(valueSizeMin, Math.min(largest, widest === 0 ? largest : width / widest));
  return metrics.map((metric, index) => {
    const value = clampedLines(
      context,
      plainSpans(values[index] ?? '', bold),
      width,
      valueSize,
      valueLinesMax,
    );
    const label = clampedLines(context, plainSpans(firstLine(metric.label)), width, labelSize, labelLinesMax);
    const height = 2 * padding + value.length * valueSize * 1.25 + 3 + label.length * labelSize * 1.4;
    return { value, valueSize, label, height };
  });
}

function clampedLines(
  context: ReportContext,
  spans: ReturnType<typeof plainSpans>,
  width: number,
  size: number,
  linesMax: number,
): readonly TextLine[] {
  const [span] = spans;
  if (span === undefined) return [];
  // No card shows more: the rest need not be laid out to be left out.
  const head = { ...span, text: span.text.slice(0, 1_000) };
  const lines = layOutText([head], width, size, context.typesetter);
  if (lines.length <= linesMax) return lines;
  context.warnings.add('A summary card was too small for its text, which was cut');
  const kept = lines.slice(0, linesMax - 1);
  const shown = kept.reduce(
    (sum, line) => sum + line.pieces.reduce((units, piece) => units + piece.text.length, 0),
    0,
  );
  return [
    ...kept,
    fitText({ ...head, text: head.text.slice(shown).trimStart() }, width, size, context.typesetter).line,
  ];
}

function firstLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

function drawCard(
  context: ReportContext,
  card: Card,
  x: number,
  width: number,
  height: number,
  list: StructureElement,
): void {
  const { flow, palette } = context;
  const { canvas, y } = flow;
  const { padding, radius, edge, labelSize } = theme.card;
  canvas.artifact(() => {
    canvas.roundedRectangle(x, y, width, height, radius, palette.surface);
    canvas.clipped(x, y, width, edge, () =>
      canvas.roundedRectangle(x, y, width, height, radius, palette.accent),
    );
  });
  const body = addElement(addElement(list, 'LI'), 'LBody');
  const box = {
    x: x + padding,
    width: width - 2 * padding,
    ...(context.isRightToLeft ? { align: 'right' as const } : {}),
  };
  const valueHeight = card.valueSize * 1.25;
  const valueTop = y + padding;
  if (card.value.length > 0) {
    drawLines(
      context,
      card.value,
      valueTop,
      { ...box, size: card.valueSize, lineHeight: valueHeight, color: palette.primary },
      addElement(body, 'P'),
    );
  }
  if (card.label.length > 0) {
    drawLines(
      context,
      card.label,
      valueTop + card.value.length * valueHeight + 3,
      { ...box, size: labelSize, lineHeight: labelSize * 1.4, color: palette.muted },
      addElement(body, 'P'),
    );
  }
}
