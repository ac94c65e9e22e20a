import type { Block, ReportContext } from '../report-context.ts';
import { bold, paragraphsOf, plainSpans, textSpans } from '../rich-text.ts';
import { addElement } from '../structure-tree.ts';
import { flowLines, headOfLines } from '../text-flow.ts';
import { layOutText, type TextLine } from '../text-layout.ts';
import { theme } from '../theme.ts';

/** A box with an accent edge: a label in bold over its text. A long one goes on in a box on the next page. */
export function calloutBlock(
  context: ReportContext,
  callout: { readonly label?: string; readonly text: string },
): Block {
  const { padding, edge, gapBefore, gapAfter, size } = theme.callout;
  const lineHeight = size * 1.5;
  const inner = context.flow.width - edge - 2 * padding;
  const lay = (spans: Parameters<typeof layOutText>[0]) => layOutText(spans, inner, size, context.typesetter);
  const label = (callout.label ?? '').replace(/\s+/g, ' ').trim();
  const parts: { readonly lines: TextLine[]; readonly isLabel: boolean }[] = [
    ...(label === '' ? [] : [{ lines: lay(plainSpans(label, bold)), isLabel: true }]),
    ...paragraphsOf(callout.text).map((paragraph) => ({
      lines: lay(textSpans(paragraph, context.markdown)),
      isLabel: false,
    })),
  ];
  const lines = parts.flatMap((part) => part.lines);
  const isRightToLeft = lines[0]?.isRightToLeft ?? context.isRightToLeft;
  const height = lines.length * lineHeight + 2 * padding;
  return {
    gapBefore,
    keepsWithNext: false,
    headHeight: () =>
      height <= context.flow.pageHeight() / 2 ? height : headOfLines(lines, lineHeight) + 2 * padding,
    draw(parent) {
      const { flow, palette } = context;
      const note = addElement(parent, 'Div');
      const x = flow.left + padding + (isRightToLeft ? 0 : edge);
      const ground = (from: number, partHeight: number) => {
        const { canvas } = flow;
        // The parts of the box overlap by a hair, or viewers show a seam between them.
        const top = from - 0.3;
        const boxHeight = partHeight + 0.3;
        const edgeX = isRightToLeft ? flow.left + flow.width - edge : flow.left;
        canvas.artifact(() => {
          canvas.rectangle(flow.left, top, flow.width, boxHeight, palette.surface);
          canvas.rectangle(edgeX, top, edge, boxHeight, palette.accent);
        });
      };
      parts.forEach(({ lines: partLines, isLabel }, index) => {
        const isFirst = index === 0;
        const isLast = index === parts.length - 1;
        if (isFirst) flow.ensure(headOfLines(partLines, lineHeight) + 2 * padding);
        else flow.ensure(headOfLines(partLines, lineHeight) + padding);
        if (isFirst) {
          ground(flow.y, padding);
          flow.y += padding;
        }
        const setting = {
          x,
          width: inner,
          size,
          lineHeight,
          color: isLabel ? palette.primary : palette.text,
        };
        flowLines(context, partLines, setting, addElement(note, 'P'), 0, ground);
        if (isLast) {
          ground(flow.y, padding);
          flow.y += padding;
        }
      });
      flow.y += gapAfter;
    },
  };
}
