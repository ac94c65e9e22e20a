import type { Chart, Color, ImageAsset, ImageRef } from '../../domain/documents/common.ts';
import type { Box } from '../../domain/documents/deck-spec.ts';
import type { Palette } from '../palettes.ts';

/** What an element needs of the slide and the deck around it. */
export interface SlideContext {
  readonly palette: Palette;
  /** BCP 47 tag. */
  readonly language: string;
  /** The next free shape id of the slide (`p:cNvPr/@id`). */
  nextId(): number;
  /** The colour that lies under a box drawn now. */
  groundUnder(box: Box): Color;
  /** Puts a picture into the package and returns the id of the slide's relationship to it. */
  relateImage(ref: ImageRef): { readonly id: string; readonly asset: ImageAsset };
  /** Puts a chart, its labels `fontSize` points high, into the package and returns the slide's relationship to it. */
  relateChart(chart: Chart, fontSize: number): string;
  /** Tells the caller what could not be shown as asked: a short ASCII sentence. */
  warn(sentence: string): void;
}
