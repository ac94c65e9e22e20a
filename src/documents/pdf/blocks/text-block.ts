import type { Block, ReportContext } from '../report-context.ts';
import { paragraphsOf, textSpans } from '../rich-text.ts';
import { addElement } from '../structure-tree.ts';
import { flowLines, headOfLines } from '../text-flow.ts';
import { layOutText } from '../text-layout.ts';
import { theme } from '../theme.ts';

/** A paragraph of more lines stands by itself. */
const introductionLinesMax = 4;

/**
 * One block for each paragraph of a text.
 *
 * @param introduces whether a chart follows: a short last paragraph then stays on the chart's page.
 */
export function* textBlocks(context: ReportContext, text: string, introduces: boolean): Generator<Block> {
  const { size, lineHeight, gap } = theme.body;
  const paragraphs = paragraphsOf(text);
  for (const [index, paragraph] of paragraphs.entries()) {
    const lines = layOutText(
      textSpans(paragraph, context.markdown),
      context.flow.width,
      size,
      context.typesetter,
    );
    const keepsWithNext =
      introduces && index === paragraphs.length - 1 && lines.length <= introductionLinesMax;
    yield {
      gapBefore: 0,
      keepsWithNext,
      headHeight: () => (keepsWithNext ? lines.length * lineHeight + gap : headOfLines(lines, lineHeight)),
      draw(parent) {
        const { left, width } = context.flow;
        const setting = { x: left, width, size, lineHeight, color: context.palette.text };
        flowLines(context, lines, setting, addElement(parent, 'P'));
        context.flow.y += gap;
      },
    };
  }
}
