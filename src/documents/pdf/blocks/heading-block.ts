import type { Block, ReportContext } from '../report-context.ts';
import { bold, plainSpans } from '../rich-text.ts';
import { addElement } from '../structure-tree.ts';
import { flowLines } from '../text-flow.ts';
import { layOutText } from '../text-layout.ts';
import { theme } from '../theme.ts';

/** A section's heading over a rule, the rule's beginning in the accent colour, and its place in the outline. */
export function headingBlock(context: ReportContext, heading: string): Block {
  const { size, gapBefore, gapAfter, ruleGap, rule, mark } = theme.heading;
  const lineHeight = size * 1.3;
  const text = heading.replace(/\s+/g, ' ').trim();
  const lines = layOutText(plainSpans(text, bold), context.flow.width, size, context.typesetter);
  return {
    gapBefore,
    keepsWithNext: true,
    headHeight: () => Math.min(lines.length, 6) * lineHeight + ruleGap + rule + gapAfter,
    draw(parent) {
      const { flow, palette } = context;
      const setting = { x: flow.left, width: flow.width, size, lineHeight, color: palette.primary };
      context.document.outline.addItem(text.slice(0, 200), {
        pageNumber: flow.canvas.index,
        top: Math.max(0, flow.y - 10),
      } as Parameters<typeof context.document.outline.addItem>[1]);
      flowLines(context, lines, setting, addElement(parent, 'H2'));
      flow.y += ruleGap;
      const { canvas, left, width, y } = flow;
      const markX = lines[0]?.isRightToLeft ? left + width - mark : left;
      canvas.artifact(() => {
        canvas.rectangle(left, y + rule - 0.75, width, 0.75, palette.border);
        canvas.rectangle(markX, y, mark, rule, palette.accent);
      });
      flow.y += rule + gapAfter;
    },
  };
}
