import type { Color } from '../../domain/documents/common.ts';
import { contrast, isReadableOn } from '../contrast.ts';
import type { Palette } from '../palettes.ts';

/** A slot of the theme's colour map: it follows when someone changes the theme. */
type ThemeColor = 'tx1' | 'bg1' | 'tx2' | 'bg2' | 'accent1';

/** A colour of the theme by its slot, or six hexadecimal digits. */
export type Ink = ThemeColor | Color;

const themeColors: ReadonlySet<string> = new Set<ThemeColor>(['tx1', 'bg1', 'tx2', 'bg2', 'accent1']);

/** A colour as DrawingML's EG_ColorChoice (ECMA-376 Part 1, 20.1.2.3). */
export function colorXml(ink: Ink): string {
  return themeColors.has(ink) ? `<a:schemeClr val="${ink}"/>` : `<a:srgbClr val="${ink}"/>`;
}

/** `a:solidFill` of a colour (ECMA-376 Part 1, 20.1.8.54). */
export function solidFill(ink: Ink): string {
  return `<a:solidFill>${colorXml(ink)}</a:solidFill>`;
}

/** What a slot of the theme shows in a palette: the reverse of `themePart`. */
export function colorOf(ink: Ink, palette: Palette): Color {
  switch (ink) {
    case 'tx1':
      return palette.text;
    case 'bg1':
      return 'FFFFFF';
    case 'tx2':
      return palette.primary;
    case 'bg2':
      return palette.surface;
    case 'accent1':
      return palette.series[0];
    default:
      return ink;
  }
}

/** The first of `inks` that reads well on `ground`, else the one that comes nearest. */
export function readableInk(ground: Color, inks: readonly Ink[], palette: Palette): Ink {
  let best: Ink = inks[0] ?? 'tx1';
  let bestRatio = 0;
  for (const ink of inks) {
    const color = colorOf(ink, palette);
    if (isReadableOn(ground, color)) return ink;
    const ratio = contrast(color, ground);
    if (ratio > bestRatio) {
      best = ink;
      bestRatio = ratio;
    }
  }
  return best;
}

/** Body text on a ground of any colour. */
export function textInk(ground: Color, palette: Palette): Ink {
  return readableInk(ground, ['tx1', 'bg1'], palette);
}
