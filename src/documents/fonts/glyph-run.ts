import type { FontFace, Glyph } from './font-face.ts';

/** Glyphs of one face from left to right. Lengths are thousandths of an em. */
export interface GlyphRun {
  readonly face: FontFace;
  readonly glyphs: readonly Glyph[];
  /** The text of each glyph, for extraction; empty where `actualText` covers it. */
  readonly texts: readonly string[];
  /** What the advance of each glyph differs from the face's own by; absent: nowhere. */
  readonly adjustments?: readonly number[];
  /** Where each glyph is drawn beside its place; absent: nowhere. */
  readonly offsets?: readonly (readonly [x: number, y: number])[];
  readonly width: number;
  /** The run's text in reading order, where the glyphs' own texts do not give it. */
  readonly actualText?: string;
}
