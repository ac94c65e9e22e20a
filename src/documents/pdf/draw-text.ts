import type { GlyphRun } from '../fonts/glyph-run.ts';
import type { PageCanvas } from './page-canvas.ts';
import { pdfLength, pdfTextString } from './pdf-text.ts';
import type { ReportContext } from './report-context.ts';
import type { TextSpan } from './rich-text.ts';
import { addElement, type StructureElement } from './structure-tree.ts';
import type { LinePiece, TextLine } from './text-layout.ts';
import { baselineShare } from './theme.ts';

/** How lines are set: where their box stands and what they look like. */
export interface TextSetting {
  readonly x: number;
  readonly width: number;
  readonly size: number;
  readonly lineHeight: number;
  readonly color: string;
  readonly align?: 'left' | 'center' | 'right';
}

/** Where a line begins within its box: at the given side, else at the side where its paragraph begins. */
export function lineX(line: TextLine, setting: TextSetting): number {
  const align = setting.align ?? (line.isRightToLeft ? 'right' : 'left');
  if (align === 'left') return setting.x;
  const rest = setting.width - line.width;
  return setting.x + (align === 'right' ? rest : rest / 2);
}

/** Draws lines one under the other as content of an element; links become link elements with annotations. */
export function drawLines(
  context: ReportContext,
  lines: readonly TextLine[],
  top: number,
  setting: TextSetting,
  element: StructureElement,
  links = new Map<TextSpan, StructureElement>(),
): void {
  const { canvas } = context.flow;
  if (!lines.some((line) => line.pieces.some((piece) => piece.span.href !== undefined))) {
    canvas.tag(element, () => drawPlainLines(context, canvas, lines, top, setting));
    return;
  }
  for (const [index, line] of lines.entries()) {
    drawLinkedLine(context, line, top + index * setting.lineHeight, setting, element, links);
  }
}

/** Draws lines as decoration, such as a header that a new page repeats. */
export function drawLinesAsArtifact(
  context: ReportContext,
  canvas: PageCanvas,
  lines: readonly TextLine[],
  top: number,
  setting: TextSetting,
): void {
  canvas.artifact(() => drawPlainLines(context, canvas, lines, top, setting), 'Pagination');
}

function drawPlainLines(
  context: ReportContext,
  canvas: PageCanvas,
  lines: readonly TextLine[],
  top: number,
  setting: TextSetting,
): void {
  for (const [index, line] of lines.entries()) {
    drawPieces(context, canvas, line.pieces, lineX(line, setting), top + index * setting.lineHeight, setting);
  }
}

function drawPieces(
  context: ReportContext,
  canvas: PageCanvas,
  pieces: readonly LinePiece[],
  x: number,
  top: number,
  setting: TextSetting,
): number {
  const baseline = top + setting.lineHeight / 2 + setting.size * baselineShare;
  let left = x;
  let color = setting.color;
  let runs: GlyphRun[] = [];
  const flush = (): void => {
    if (runs.length > 0) canvas.text(runs, left, baseline, setting.size, color);
    for (const run of runs) left += (run.width * setting.size) / 1000;
    runs = [];
  };
  for (const piece of pieces) {
    const wanted = piece.span.href === undefined ? setting.color : context.palette.accent;
    if (wanted !== color) flush();
    color = wanted;
    for (const run of context.typesetter.shape(piece.text, piece.span, piece.isRightToLeft)) runs.push(run);
  }
  flush();
  return left;
}

function drawLinkedLine(
  context: ReportContext,
  line: TextLine,
  top: number,
  setting: TextSetting,
  element: StructureElement,
  links: Map<TextSpan, StructureElement>,
): void {
  const { canvas } = context.flow;
  let left = lineX(line, setting);
  for (const pieces of groupByTarget(line.pieces)) {
    const span = pieces[0]?.span;
    if (span?.href === undefined) {
      canvas.tag(element, () => {
        left = drawPieces(context, canvas, pieces, left, top, setting);
      });
      continue;
    }
    const link = links.get(span) ?? addElement(element, 'Link');
    links.set(span, link);
    const start = left;
    canvas.tag(link, () => {
      left = drawPieces(context, canvas, pieces, left, top, setting);
    });
    const underline = top + setting.lineHeight / 2 + setting.size * (baselineShare + 0.14);
    canvas.artifact(() => canvas.line(start, underline, left, underline, context.palette.accent, 0.5));
    annotate(context, link, span.href, [start, top, left, top + setting.lineHeight]);
  }
}

function groupByTarget(pieces: readonly LinePiece[]): LinePiece[][] {
  const groups: LinePiece[][] = [];
  for (const piece of pieces) {
    const last = groups.at(-1);
    if (last !== undefined && last[0]?.span.href === piece.span.href) last.push(piece);
    else groups.push([piece]);
  }
  return groups;
}

function annotate(
  context: ReportContext,
  link: StructureElement,
  href: string,
  [x1, y1, x2, y2]: readonly [number, number, number, number],
): void {
  const { canvas } = context.flow;
  const rectangle = [x1, canvas.height - y2, x2, canvas.height - y1].map(pdfLength).join(' ');
  const target = pdfTextString(href);
  const entries = `/Subtype/Link/Rect[${rectangle}]/Border[0 0 0]/F 4/Contents ${target}/A<</S/URI/URI ${target}>>`;
  canvas.page.annotations.push(context.structure.annotate(link, entries, canvas.page.dictionary));
}
