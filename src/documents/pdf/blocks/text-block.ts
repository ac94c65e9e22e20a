import type { Block, ReportContext } from '../report-context.ts';
import { paragraphsOf, textSpans } from '../rich-text.ts';
import { addElement } from '../structure-tree.ts';
import { flowLines, headOfLines } from '../text-flow.ts';
import { layOutText } from '../text-layout.ts';
import { theme } from '../theme.ts';

/** One block for each paragraph of a text. */
export function* textBlocks(context: ReportContext, text: string): Generator<Block> {
  const { size, lineHeight, gap } = theme.body;
  for (const paragraph of paragraphsOf(text)) {
    const lines = layOutText(
      textSpans(paragraph, context.markdown),
      context.flow.width,
      size,
      context.typesetter,
    );
    yield {
      gapBefore: 0,
      keepsWithNext: false,
      headHeight: () => headOfLines(lines, lineHeight),
      draw(parent) {
        const { left, width } = context.flow;
        const setting = { x: left, width, size, lineHeight, color: context.palette.text };
        flowLines(context, lines, setting, addElement(parent, 'P'));
        context.flow.y += gap;
      },
    };
  }
}
