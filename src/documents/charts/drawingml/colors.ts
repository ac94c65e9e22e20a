import type { Color } from '../../../domain/documents/common.ts';
import type { Palette } from '../../palettes.ts';

/** Returns the colour of series `index`; past the palette's eight, lighter and darker shades of them. */
export function seriesColor(palette: Palette, index: number): Color {
  const base = palette.series[index % palette.series.length] as Color;
  const round = Math.floor(index / palette.series.length);
  if (round === 0) return base;
  const amount = Math.min(0.7, 0.2 + 0.15 * Math.floor((round + 1) / 2));
  return mix(base, round % 2 === 1 ? 'FFFFFF' : '000000', amount);
}

/** Returns the colour of a pie's slice: its own, or the palette's at its place. */
export function sliceColor(
  series: { readonly sliceColors?: readonly (Color | undefined)[] },
  palette: Palette,
  index: number,
): Color {
  return series.sliceColors?.[index] ?? seriesColor(palette, index);
}

/** Returns `from` moved towards `to` by `amount`, 0 to 1. */
function mix(from: Color, to: Color, amount: number): Color {
  return channels(from)
    .map((channel, index) => {
      const other = channels(to)[index] as number;
      return Math.round(channel + (other - channel) * amount)
        .toString(16)
        .padStart(2, '0');
    })
    .join('')
    .toUpperCase();
}

/** Returns white or `dark`, whichever reads better on `ground` (WCAG 2.2 contrast). */
export function readableOn(ground: Color, dark: Color): Color {
  return contrast('FFFFFF', ground) >= contrast(dark, ground) ? 'FFFFFF' : dark;
}

/** Returns the contrast ratio of two colours, 1 to 21 (WCAG 2.2, definition of contrast ratio). */
export function contrast(one: Color, other: Color): number {
  const [high, low] = [luminance(one), luminance(other)].sort((a, b) => b - a) as [number, number];
  return (high + 0.05) / (low + 0.05);
}

function luminance(color: Color): number {
  const [red, green, blue] = channels(color).map((channel) => {
    const share = channel / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function channels(color: Color): [number, number, number] {
  const value = Number.parseInt(color, 16);
  return [(value >> 16) & 255, (value >> 8) & 255, value & 255];
}
