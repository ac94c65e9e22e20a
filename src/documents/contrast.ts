import type { Color } from '../domain/documents/common.ts';

/** The least contrast of text on its ground (WCAG 2.2, 1.4.3). */
const readableContrast = 4.5;

/** Returns the contrast ratio of two colours, 1 to 21 (WCAG 2.2, definition of contrast ratio). */
export function contrast(one: Color, other: Color): number {
  const [high, low] = [luminance(one), luminance(other)].sort((a, b) => b - a) as [number, number];
  return (high + 0.05) / (low + 0.05);
}

/** Whether text of a colour reads well on `ground`. */
export function isReadableOn(ground: Color, text: Color): boolean {
  return contrast(text, ground) >= readableContrast;
}

/** Returns white or `dark`, whichever reads better on `ground`. */
export function readableOn(ground: Color, dark: Color): Color {
  return contrast('FFFFFF', ground) >= contrast(dark, ground) ? 'FFFFFF' : dark;
}

/** Returns red, green and blue, 0 to 255. */
export function channelsOf(color: Color): [number, number, number] {
  const value = Number.parseInt(color, 16);
  return [(value >> 16) & 255, (value >> 8) & 255, value & 255];
}

function luminance(color: Color): number {
  const [red, green, blue] = channelsOf(color).map((channel) => {
    const share = channel / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
