import type { ReportSpec } from '../../../domain/documents/report-spec.ts';
import { drawImage, imageBox } from '../draw-image.ts';
import { drawLines } from '../draw-text.ts';
import type { ReportContext } from '../report-context.ts';
import { bold, plainSpans } from '../rich-text.ts';
import { addElement, type StructureElement } from '../structure-tree.ts';
import { layOutText, type TextLine } from '../text-layout.ts';
import { theme } from '../theme.ts';

/** Draws the coloured band at the head of the first page: title, subtitle, logo. */
export function drawHeaderBand(context: ReportContext, spec: ReportSpec, parent: StructureElement): void {
  const { flow, palette } = context;
  const { padding, titleSize, titleSizeMin, titleLines, subtitleSize, subtitleLines } = theme.band;
  const logo = spec.logo === undefined ? undefined : context.images.get(spec.logo.asset);
  const logoBox = logo === undefined ? undefined : imageBox(logo, theme.logo.width, theme.logo.height);
  const logoWidth = logoBox === undefined ? 0 : logoBox.width + 2 * theme.logo.padding;
  const width = flow.width - (logoWidth === 0 ? 0 : logoWidth + padding);

  const lay = (text: string, size: number, isBold: boolean): TextLine[] =>
    layOutText(isBold ? plainSpans(text, bold) : plainSpans(text), width, size, context.typesetter);
  const titleText = oneLine(spec.title);
  let size: number = titleSize;
  let title = lay(titleText, size, true);
  while (title.length > 2 && size > titleSizeMin) {
    size = Math.max(titleSizeMin, size - 2.5);
    title = lay(titleText, size, true);
  }
  const subtitle = spec.subtitle === undefined ? [] : lay(oneLine(spec.subtitle), subtitleSize, false);
  const shownTitle = title.slice(0, titleLines);
  const shownSubtitle = subtitle.slice(0, subtitleLines);
  if (shownTitle.length < title.length)
    context.warnings.add('The title was too long for its band and was cut');
  if (shownSubtitle.length < subtitle.length) {
    context.warnings.add('The subtitle was too long for its band and was cut');
  }

  const titleHeight = shownTitle.length * size * 1.25;
  const subtitleHeight = shownSubtitle.length === 0 ? 0 : 6 + shownSubtitle.length * subtitleSize * 1.4;
  const textHeight = titleHeight + subtitleHeight;
  const logoHeight = logoBox === undefined ? 0 : logoBox.height + 2 * theme.logo.padding;
  const height = 2 * padding + Math.max(textHeight, logoHeight);
  const { canvas } = flow;
  canvas.artifact(() => {
    canvas.rectangle(0, 0, canvas.width, height, palette.primary);
    canvas.rectangle(0, height, canvas.width, 4, palette.accent);
  });
  const x = context.isRightToLeft && logoWidth > 0 ? flow.left + logoWidth + padding : flow.left;
  const top = (height - textHeight) / 2;
  const box = { x, width, color: palette.onPrimary };
  drawLines(context, shownTitle, top, { ...box, size, lineHeight: size * 1.25 }, addElement(parent, 'H1'));
  if (shownSubtitle.length > 0) {
    drawLines(
      context,
      shownSubtitle,
      top + titleHeight + 6,
      { ...box, size: subtitleSize, lineHeight: subtitleSize * 1.4 },
      addElement(parent, 'P'),
    );
  }
  if (logo !== undefined && logoBox !== undefined && spec.logo !== undefined) {
    const logoX = context.isRightToLeft ? flow.left : flow.left + flow.width - logoWidth;
    const logoY = (height - logoHeight) / 2;
    // Logos are made for white paper: on the band most would vanish.
    canvas.artifact(() => canvas.roundedRectangle(logoX, logoY, logoWidth, logoHeight, 5, 'FFFFFF'));
    const place = { x: logoX + theme.logo.padding, y: logoY + theme.logo.padding, ...logoBox };
    drawImage(context, spec.logo, place, parent);
  }
  flow.y = height + 4 + 28;
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim().slice(0, 2_000);
}
