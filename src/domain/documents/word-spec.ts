import type { Chart, Metric, PaletteName, SectionImage, Table } from './common.ts';

/** A section of a Word document. It renders what it carries, in the order of these fields. */
export interface WordSection {
  readonly heading?: string;
  readonly level: 1 | 2 | 3;
  /** Paragraphs, split on newlines. */
  readonly text?: string;
  readonly summary?: readonly Metric[];
  readonly bullets?: readonly string[];
  readonly numbered?: readonly string[];
  readonly table?: Table;
  /** Drawn as a captioned box that names the chart and its data. */
  readonly chart?: Chart;
  readonly image?: SectionImage;
}

export interface WordSpec {
  readonly title: string;
  readonly subtitle?: string;
  readonly palette: PaletteName;
  /** BCP 47 tag of the document's language. */
  readonly language: string;
  /** Whether text, bullets and numbered items carry the Markdown subset (bold, italic, code, links). */
  readonly markdown: boolean;
  readonly sections: readonly WordSection[];
}
