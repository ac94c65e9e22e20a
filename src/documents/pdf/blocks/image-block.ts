import type { SectionImage } from '../../../domain/documents/common.ts';
import { drawImage, imageBox } from '../draw-image.ts';
import type { Block, ReportContext } from '../report-context.ts';
import { textSpans } from '../rich-text.ts';
import { addElement } from '../structure-tree.ts';
import { flowLines } from '../text-flow.ts';
import { layOutText } from '../text-layout.ts';
import { theme } from '../theme.ts';

const pointsPerInch = 72;
/** A picture of unknown resolution is shown as at 144 dots an inch: sharp on paper and on screens. */
const pointsPerPixel = 0.5;

/** A picture in the middle of the page over its caption; undefined when there is no such picture. */
export function imageBlock(context: ReportContext, image: SectionImage): Block | undefined {
  const asset = context.images.get(image.asset);
  if (asset === undefined) return undefined;
  const { flow } = context;
  const { gapBefore, gapAfter, captionSize, captionGap } = theme.image;
  const lineHeight = captionSize * 1.45;
  const caption = (image.caption ?? '').replace(/\s+/g, ' ').trim();
  const lines =
    caption === ''
      ? []
      : layOutText(textSpans(caption, context.markdown), flow.width, captionSize, context.typesetter);
  const captionHeight = lines.length === 0 ? 0 : captionGap + Math.min(lines.length, 6) * lineHeight;
  const wanted =
    image.width === undefined
      ? Math.max(asset.width * pointsPerPixel, flow.width * 0.25)
      : image.width * pointsPerInch;
  const box = imageBox(asset, Math.min(wanted, flow.width), flow.pageHeight() - captionHeight);
  return {
    gapBefore,
    keepsWithNext: false,
    headHeight: () => box.height + captionHeight,
    draw(parent) {
      flow.ensure(box.height + captionHeight);
      const group = lines.length === 0 ? parent : addElement(parent, 'Div');
      drawImage(context, image, { x: flow.left + (flow.width - box.width) / 2, y: flow.y, ...box }, group);
      flow.y += box.height;
      if (lines.length > 0) {
        flow.y += captionGap;
        const setting = {
          x: flow.left,
          width: flow.width,
          size: captionSize,
          lineHeight,
          color: context.palette.muted,
          align: 'center' as const,
        };
        flowLines(context, lines, setting, addElement(group, 'Caption'));
      }
      flow.y += gapAfter;
    },
  };
}
