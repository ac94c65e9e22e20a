export type Orientation = 'portrait' | 'landscape';

/** A4 with margins of one inch at the sides, in twips (twentieths of a point). */
export const page = {
  shortEdge: 11_906,
  longEdge: 16_838,
  margin: { top: 1_440, right: 1_304, bottom: 1_304, left: 1_304, header: 680, footer: 624 },
} as const;

export const emuPerInch = 914_400;
export const twipsPerInch = 1_440;

/** Room between the margins, in twips. */
export function textArea(orientation: Orientation): { readonly width: number; readonly height: number } {
  const portrait = orientation === 'portrait';
  const { top, right, bottom, left } = page.margin;
  return {
    width: (portrait ? page.shortEdge : page.longEdge) - left - right,
    height: (portrait ? page.longEdge : page.shortEdge) - top - bottom,
  };
}
