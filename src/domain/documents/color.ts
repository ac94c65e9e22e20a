import type { Color } from './common.ts';
import { namedColors } from './named-colors.ts';

/**
 * Reads a colour as people write it: `#rgb`, `rgb`, `#rrggbb`, `rrggbb`, `rgb(r, g, b)` with whole numbers from 0 to
 * 255 (commas or spaces), or a CSS name; case and surrounding spaces do not matter. Undefined for anything else.
 */
export function parseColor(text: string): Color | undefined {
  const value = text.trim().toLowerCase();
  const hex = /^#?([0-9a-f]{3}|[0-9a-f]{6})$/.exec(value)?.[1];
  if (hex !== undefined) {
    return (hex.length === 6 ? hex : hex.replace(/./g, '$&$&')).toUpperCase();
  }
  const channels = /^rgb\( *(\d{1,3})(?: *, *| +)(\d{1,3})(?: *, *| +)(\d{1,3}) *\)$/
    .exec(value)
    ?.slice(1)
    .map(Number);
  if (channels !== undefined) {
    return channels.every((channel) => channel <= 255) ? toHex(channels) : undefined;
  }
  return Object.hasOwn(namedColors, value) ? namedColors[value] : undefined;
}

/** Returns the contrast of two colours, from 1 (none) to 21 (black on white) (WCAG 2.2, contrast ratio). */
export function contrastRatio(one: Color, other: Color): number {
  const [dark, light] = [luminance(one), luminance(other)].sort((a, b) => a - b) as [number, number];
  return (light + 0.05) / (dark + 0.05);
}

/** Returns black or white, whichever is read more easily on `ground`; its contrast is at least 4.5. */
export function readableOn(ground: Color): Color {
  return contrastRatio(ground, 'FFFFFF') >= contrastRatio(ground, '000000') ? 'FFFFFF' : '000000';
}

/** Relative luminance of an sRGB colour, 0 to 1 (WCAG 2.2). */
function luminance(color: Color): number {
  const [red, green, blue] = [0, 2, 4].map((start) => {
    const channel = Number.parseInt(color.slice(start, start + 2), 16) / 255;
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function toHex(channels: readonly number[]): Color {
  return channels
    .map((channel) => channel.toString(16).padStart(2, '0'))
    .join('')
    .toUpperCase();
}
