/**
 * Advance widths of Arial for U+0020 to U+007E, thousandths of the font size (Adobe's Helvetica AFM, whose
 * widths Arial copies).
 */
const latin = [
  278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278, 556, 556, 556, 556, 556,
  556, 556, 556, 556, 556, 278, 278, 584, 584, 584, 556, 1015, 667, 667, 722, 722, 667, 611, 778, 722, 278,
  500, 667, 556, 833, 722, 778, 667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469,
  556, 333, 556, 556, 500, 556, 556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556, 556, 556, 333, 500,
  278, 556, 500, 722, 500, 500, 500, 334, 260, 334, 584,
] as const;

/** The advance given to what stands on, or joins, the character before it: 0 would read as "not yet measured". */
export const markWidth = 1;

const zeroWidth = /[\p{M}\p{Cf}]/u;
const wide =
  /[\u1100-\u115F\u2E80-\uA4CF\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF00-\uFF60\u{1F000}-\u{3FFFD}]/u;
const upperCase = /\p{Lu}/u;

/** Whether a character takes a full square, as those of Chinese, Japanese and Korean do: a line may end at it. */
export function isWide(codePoint: number): boolean {
  return codePoint >= 0x1100 && wide.test(String.fromCodePoint(codePoint));
}

// One entry per character of the basic plane, filled as characters are met: 0 is "not yet", 1 stands for no width.
const known = new Uint16Array(0x10000);
for (const [index, width] of latin.entries()) known[0x20 + index] = width;

/** The advance of a character in Arial, thousandths of the font size; outside Latin an estimate by script. */
export function glyphWidth(codePoint: number): number {
  if (codePoint > 0xffff) return measureGlyph(codePoint);
  const width = known[codePoint];
  if (width !== undefined && width !== 0) return width;
  const measured = Math.max(1, measureGlyph(codePoint));
  known[codePoint] = measured;
  return measured;
}

function measureGlyph(codePoint: number): number {
  const character = String.fromCodePoint(codePoint);
  if (zeroWidth.test(character)) return markWidth;
  if (codePoint === 0xa0) return 278;
  if (isWide(codePoint)) return 1_000;
  // An accented letter is as wide as its base.
  const base = character.normalize('NFD').codePointAt(0);
  if (base !== undefined && base !== codePoint && base < 0x7f) return glyphWidth(base);
  if (codePoint >= 0x2000 && codePoint <= 0x2bff)
    return codePoint === 0x2003 || codePoint >= 0x2100 ? 900 : 560;
  if (codePoint >= 0x0590 && codePoint <= 0x08ff) return 520;
  return upperCase.test(character) ? 720 : 580;
}

const widthsByFamily: readonly (readonly [RegExp, number])[] = [
  [/mono|courier|consol|menlo/i, 1.15],
  [/verdana|dejavu|black|impact/i, 1.16],
  [/narrow|condensed/i, 0.82],
  [/calibri|carlito|times|garamond|cambria/i, 0.92],
];

/** How much wider than Arial a font runs on average: text in it is measured as Arial times this. */
export function fontWidthFactor(fontFace: string | undefined, bold: boolean): number {
  const family = widthsByFamily.find(([pattern]) => fontFace !== undefined && pattern.test(fontFace));
  return (family?.[1] ?? 1) * (bold ? 1.07 : 1);
}
