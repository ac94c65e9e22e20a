import type { Color } from '../../domain/documents/common.ts';
import { channelsOf } from '../contrast.ts';
import type { Palette } from '../palettes.ts';

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
  return channelsOf(from)
    .map((channel, index) => {
      const other = channelsOf(to)[index] as number;
      return Math.round(channel + (other - channel) * amount)
        .toString(16)
        .padStart(2, '0');
    })
    .join('')
    .toUpperCase();
}
