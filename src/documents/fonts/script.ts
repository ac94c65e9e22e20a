import type { FontFamily } from './font-files.ts';

/** The Chinese, Japanese and Korean families in the order in which they are asked for a shared ideograph. */
export type CjkOrder = readonly FontFamily[];

const cjkOrders: Readonly<Record<'zh' | 'ja' | 'ko', CjkOrder>> = {
  zh: ['sc', 'jp', 'kr'],
  ja: ['jp', 'sc', 'kr'],
  ko: ['kr', 'sc', 'jp'],
};

/** Picks the shapes of ideographs: by the language (BCP 47) when it is one of the three, else by the text. */
export function cjkOrderOf(language: string, text: string): CjkOrder {
  const primary = language.slice(0, 2).toLowerCase();
  if (primary === 'zh' || primary === 'ja' || primary === 'ko') return cjkOrders[primary];
  if (/[\u3040-\u30ff]/.test(text)) return cjkOrders.ja;
  return /[\uac00-\ud7af]/.test(text) ? cjkOrders.ko : cjkOrders.zh;
}

/** Whether a language (BCP 47) is written from right to left. */
export function isRightToLeft(language: string): boolean {
  return /^(ar|he|iw|fa|ur|yi|ps|sd|ug|dv|ckb)(-|$)/i.test(language) || /-(Arab|Hebr)(-|$)/i.test(language);
}

const rightToLeft =
  /[\u0590-\u08ff\u200f\u202b\u202e\u2067\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/** Whether a text holds anything that runs from right to left. */
export function hasRightToLeft(text: string): boolean {
  return rightToLeft.test(text);
}

type FamilyRange = readonly [first: number, last: number, families: readonly FontFamily[]];

const symbols: readonly FontFamily[] = ['symbols', 'math', 'emoji'];
const emojiFirst: readonly FontFamily[] = ['emoji', 'symbols', 'math'];

/** Where else to look, when the text face has no glyph, before any CJK face. Ascending. */
const familyRanges: readonly FamilyRange[] = [
  [0x0530, 0x058f, ['armenian']],
  [0x0590, 0x05ff, ['hebrew']],
  [0x0600, 0x08ff, ['arabic']],
  [0x0900, 0x097f, ['devanagari']],
  [0x0980, 0x09ff, ['bengali']],
  [0x0a00, 0x0a7f, ['gurmukhi']],
  [0x0a80, 0x0aff, ['gujarati']],
  [0x0b80, 0x0bff, ['tamil']],
  [0x0c00, 0x0c7f, ['telugu']],
  [0x0c80, 0x0cff, ['kannada']],
  [0x0d00, 0x0d7f, ['malayalam']],
  [0x0e00, 0x0e7f, ['thai']],
  [0x10a0, 0x10ff, ['georgian']],
  [0x1200, 0x139f, ['ethiopic']],
  [0x1c90, 0x1cbf, ['georgian']],
  [0x1cd0, 0x1cff, ['devanagari']],
  [0x2000, 0x2bff, ['math', 'symbols', 'mono', 'emoji']],
  [0x2d00, 0x2d2f, ['georgian']],
  [0x2d80, 0x2ddf, ['ethiopic']],
  [0x2e00, 0x2e7f, ['symbols', 'math']],
  [0xa8e0, 0xa8ff, ['devanagari']],
  [0xab00, 0xab2f, ['ethiopic']],
  [0xfb13, 0xfb17, ['armenian']],
  [0xfb1d, 0xfb4f, ['hebrew']],
  [0xfb50, 0xfdff, ['arabic']],
  [0xfe70, 0xfeff, ['arabic']],
  [0x10000, 0x1cfff, symbols],
  [0x1d000, 0x1efff, ['math', 'symbols', 'arabic']],
  [0x1f000, 0x1faff, emojiFirst],
  [0x1fb00, 0x1fbff, symbols],
  [0xfe000, 0xfefff, emojiFirst],
];

/** The families that may have a code point, in the order in which they are asked; loads no font by itself. */
export function candidateFamilies(codePoint: number, cjkOrder: CjkOrder): readonly FontFamily[] {
  for (const [first, last, families] of familyRanges) {
    if (codePoint < first) break;
    if (codePoint <= last)
      return codePoint < 0x3000 && codePoint >= 0x2000 ? [...families, ...cjkOrder] : families;
  }
  return isCjk(codePoint) ? cjkOrder : [];
}

function isCjk(codePoint: number): boolean {
  return (
    (codePoint >= 0x1100 && codePoint <= 0x11ff) ||
    (codePoint >= 0x2e80 && codePoint <= 0xa4cf) ||
    (codePoint >= 0xa960 && codePoint <= 0xa97f) ||
    (codePoint >= 0xac00 && codePoint <= 0xd7ff) ||
    (codePoint >= 0xf900 && codePoint <= 0xfaff) ||
    (codePoint >= 0xfe10 && codePoint <= 0xfe6f) ||
    (codePoint >= 0xff00 && codePoint <= 0xffef) ||
    (codePoint >= 0x20000 && codePoint <= 0x3ffff)
  );
}

/** Marks and joiners: they belong to the sign before them and never begin a run. */
export function extendsCluster(codePoint: number): boolean {
  return codePoint >= 0x0300 && (traitsOf(codePoint) & traits.extendsCluster) !== 0;
}

/** Whether a code point's glyph depends on its neighbours, so that its run needs the shaping engine. */
export function needsShaping(codePoint: number): boolean {
  return codePoint >= 0x0300 && (traitsOf(codePoint) & traits.needsShaping) !== 0;
}

const traits = { known: 1, extendsCluster: 2, needsShaping: 4 } as const;
const traitTable = new Uint8Array(0x20000);

/** Both questions are asked of every sign of a text: each answer is found out once. */
function traitsOf(codePoint: number): number {
  const known = traitTable[codePoint];
  if (known !== undefined && known !== 0) return known;
  const extending = isExtending(codePoint);
  const value =
    traits.known |
    (extending ? traits.extendsCluster : 0) |
    (extending || isShaped(codePoint) ? traits.needsShaping : 0);
  if (known !== undefined) traitTable[codePoint] = value;
  return value;
}

function isExtending(codePoint: number): boolean {
  if (codePoint === 0x200c || codePoint === 0x200d) return true;
  if (codePoint >= 0x1f3fb && codePoint <= 0x1f3ff) return true;
  if (codePoint >= 0xe0020 && codePoint <= 0xe007f) return true;
  return /^\p{M}$/u.test(String.fromCodePoint(codePoint));
}

/** Scripts whose letters change with their neighbours. */
const shapedRanges: readonly (readonly [first: number, last: number])[] = [
  [0x0300, 0x036f],
  [0x0483, 0x0489],
  [0x0590, 0x109f],
  [0x1100, 0x11ff],
  [0x1700, 0x1cff],
  [0xa800, 0xabff],
  [0xfb1d, 0xfdff],
  [0xfe70, 0xfeff],
  [0x1f1e6, 0x1f1ff],
];

function isShaped(codePoint: number): boolean {
  return shapedRanges.some(([first, last]) => codePoint >= first && codePoint <= last);
}

/** Signs that steer layout and have no shape of their own (a subset of Unicode's Default_Ignorable). */
export function isInvisible(codePoint: number): boolean {
  if (codePoint < 0xad) return codePoint < 0x20;
  return (
    codePoint === 0xad ||
    codePoint === 0x034f ||
    codePoint === 0x061c ||
    (codePoint >= 0x200b && codePoint <= 0x200f) ||
    (codePoint >= 0x2028 && codePoint <= 0x202e) ||
    (codePoint >= 0x2060 && codePoint <= 0x206f) ||
    (codePoint >= 0xfe00 && codePoint <= 0xfe0f) ||
    codePoint === 0xfeff ||
    (codePoint >= 0xe0000 && codePoint <= 0xe0fff)
  );
}
