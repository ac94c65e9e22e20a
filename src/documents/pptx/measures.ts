import { limits } from '../../domain/limits.ts';

const emuPerInch = 914_400;

/** The slide canvas, inches. */
export const canvas = { width: limits.pptx.widthInches, height: limits.pptx.heightInches } as const;

/** Free space that generated content keeps from the canvas' edges, inches. */
export const margin = 0.5;

/** Where the slide's foot begins, with the slide number, inches from the top. */
export const footerTop = canvas.height - margin;

/** Inches of one point. */
export const inchesPerPoint = 1 / 72;

/** Whole English Metric Units of a length in inches (ECMA-376 Part 1, 20.1.10.16). */
export function toEmu(inches: number): number {
  return Math.round(inches * emuPerInch);
}

/** The font sizes that DrawingML holds, points (ECMA-376 Part 1, 20.1.10.72). */
const fontSizeMin = 1;
const fontSizeMax = 4_000;

/** A font size that DrawingML can hold: `points`, else `fallback` where a spec says nothing or no size at all. */
export function usableFontSize(points: number | undefined, fallback: number): number {
  if (points === undefined || !(points > 0)) return fallback;
  return Math.min(Math.max(points, fontSizeMin), fontSizeMax);
}

/** A font size as DrawingML writes it: hundredths of a point. */
export function toFontSize(points: number): number {
  return Math.round(usableFontSize(points, fontSizeMin) * 100);
}

const lineWidthMaxEmu = 20_116_800;

/** A line width as DrawingML writes it: EMU, 0 to 20,116,800 (ECMA-376 Part 1, 20.1.10.35). */
export function toLineWidth(points: number): number {
  return points > 0 ? Math.min(Math.round(points * 12_700), lineWidthMaxEmu) : 0;
}
