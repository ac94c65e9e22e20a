import type { Block, ReportContext } from '../report-context.ts';
import { paragraphsOf, textSpans } from '../rich-text.ts';
import { addElement, type StructureElement } from '../structure-tree.ts';
import { flowLines, headOfLines } from '../text-flow.ts';
import { layOutText } from '../text-layout.ts';
import { baselineShare, theme } from '../theme.ts';

/** One block for each item of a list; together they make one list element. */
export function* bulletBlocks(context: ReportContext, bullets: readonly string[]): Generator<Block> {
  const { size, lineHeight, gap } = theme.body;
  const { indent } = theme.bullet;
  let list: StructureElement | undefined;
  const items = bullets.map((bullet) => paragraphsOf(bullet)).filter((paragraphs) => paragraphs.length > 0);
  for (const [index, paragraphs] of items.entries()) {
    const texts = paragraphs.map((paragraph) =>
      layOutText(
        textSpans(paragraph, context.markdown),
        context.flow.width - indent,
        size,
        context.typesetter,
      ),
    );
    const headHeight = headOfLines(texts[0] ?? [], lineHeight);
    const isRightToLeft = texts[0]?.[0]?.isRightToLeft ?? context.isRightToLeft;
    yield {
      gapBefore: 0,
      keepsWithNext: false,
      headHeight: () => headHeight,
      draw(parent) {
        const { flow } = context;
        list ??= addElement(parent, 'L', { attributes: '<</O/List/ListNumbering/Disc>>' });
        const item = addElement(list, 'LI');
        const label = addElement(item, 'Lbl');
        const body = addElement(item, 'LBody');
        const x = isRightToLeft ? flow.left : flow.left + indent;
        flow.ensure(headHeight);
        drawMark(context, label, isRightToLeft);
        for (const lines of texts) {
          const setting = { x, width: flow.width - indent, size, lineHeight, color: context.palette.text };
          flowLines(context, lines, setting, texts.length === 1 ? body : addElement(body, 'P'));
        }
        flow.y += index === items.length - 1 ? gap : theme.bullet.gap;
      },
    };
  }
}

function drawMark(context: ReportContext, label: StructureElement, isRightToLeft: boolean): void {
  const { flow, palette, typesetter } = context;
  const { size, lineHeight } = theme.body;
  const runs = typesetter.shape('•', { bold: true, italic: false, mono: false });
  const width = runs.reduce((sum, run) => sum + (run.width * size) / 1000, 0);
  const x = isRightToLeft ? flow.left + flow.width - 3 - width : flow.left + 3;
  const baseline = flow.y + lineHeight / 2 + size * baselineShare;
  flow.canvas.tag(label, () => flow.canvas.text(runs, x, baseline, size, palette.accent));
}
