import { drawLines, type TextSetting } from './draw-text.ts';
import type { ReportContext } from './report-context.ts';
import type { TextSpan } from './rich-text.ts';
import type { StructureElement } from './structure-tree.ts';
import type { TextLine } from './text-layout.ts';

/** Called before each part of a text that runs over pages, to draw what lies under it. */
export type BeforePart = (top: number, height: number, isFirst: boolean, isLast: boolean) => void;

/** Lines that stand together at a page's end or beginning: a single one looks lost. */
const linesTogether = 2;

/** Height of the lines that must stay together at the beginning of a text. */
export function headOfLines(lines: readonly TextLine[], lineHeight: number): number {
  const count = lines.length <= linesTogether + 1 ? lines.length : linesTogether;
  return count * lineHeight;
}

/** Draws lines from the flow's place on, over as many pages as they need, and leaves the flow under them. */
export function flowLines(
  context: ReportContext,
  lines: readonly TextLine[],
  setting: TextSetting,
  element: StructureElement,
  padding = 0,
  beforePart?: BeforePart,
): void {
  const { flow } = context;
  const links = new Map<TextSpan, StructureElement>();
  let from = 0;
  while (from < lines.length) {
    const to = from + linesThatFit(lines.length - from, flow.room() - 2 * padding, setting.lineHeight);
    if (to === from && flow.y > flow.top) {
      flow.newPage();
      continue;
    }
    const end = Math.max(to, from + 1);
    const part = lines.slice(from, end);
    const height = part.length * setting.lineHeight + 2 * padding;
    beforePart?.(flow.y, height, from === 0, end === lines.length);
    drawLines(context, part, flow.y + padding, setting, element, links);
    flow.y += height;
    from = end;
    if (from < lines.length) flow.newPage();
  }
}

function linesThatFit(left: number, room: number, lineHeight: number): number {
  const fitting = Math.max(0, Math.floor((room + 0.01) / lineHeight));
  if (fitting >= left) return left;
  if (fitting < linesTogether) return 0;
  // The last line alone on the next page: one more goes with it.
  return left - fitting === 1 && fitting > linesTogether ? fitting - 1 : fitting;
}
