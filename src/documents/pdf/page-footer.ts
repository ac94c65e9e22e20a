import { drawLinesAsArtifact } from './draw-text.ts';
import type { PageCanvas } from './page-canvas.ts';
import type { ReportContext } from './report-context.ts';
import { regular } from './rich-text.ts';
import { fitText } from './text-layout.ts';
import { theme } from './theme.ts';

/** Draws the title and `n of m` at the foot of every page. */
export function drawFooters(context: ReportContext, pages: readonly PageCanvas[], title: string): void {
  const { size, offset, rule } = theme.footer;
  const { palette, typesetter } = context;
  const numberWidth = 90;
  for (const page of pages) {
    const left = theme.margin.side;
    const width = page.width - 2 * theme.margin.side;
    const top = page.height - offset - size;
    const setting = { x: left, width, size, lineHeight: size * 1.5, color: palette.muted };
    const name = fitText(
      { ...regular, text: title.replace(/\s+/g, ' ').trim() },
      width - numberWidth,
      size,
      typesetter,
    ).line;
    const number = fitText(
      { ...regular, text: `${page.index + 1} of ${pages.length}` },
      numberWidth,
      size,
      typesetter,
    ).line;
    page.artifact(() => page.line(left, top - 5, left + width, top - 5, palette.border, rule), 'Pagination');
    const [nameSide, numberSide] = context.isRightToLeft
      ? (['right', 'left'] as const)
      : (['left', 'right'] as const);
    drawLinesAsArtifact(context, page, [name], top, { ...setting, align: nameSide });
    drawLinesAsArtifact(context, page, [number], top, { ...setting, align: numberSide });
  }
}
