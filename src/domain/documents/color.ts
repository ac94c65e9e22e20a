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

function toHex(channels: readonly number[]): Color {
  return channels
    .map((channel) => channel.toString(16).padStart(2, '0'))
    .join('')
    .toUpperCase();
}
