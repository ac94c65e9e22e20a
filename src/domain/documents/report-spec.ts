import type { Chart, ImageRef, Metric, PaletteName, SectionImage, Table } from './common.ts';

/** A section of a PDF report. It renders what it carries, in the order of these fields. */
export interface ReportSection {
  readonly heading?: string;
  /** Paragraphs, split on newlines. */
  readonly text?: string;
  /** 1 to 5 cards. */
  readonly summary?: readonly Metric[];
  readonly bullets?: readonly string[];
  readonly table?: Table;
  readonly chart?: Chart;
  readonly image?: SectionImage;
  readonly callout?: { readonly label?: string; readonly text: string };
}

export interface ReportSpec {
  readonly title: string;
  readonly subtitle?: string;
  readonly palette: PaletteName;
  /** BCP 47 tag of the document's language. */
  readonly language: string;
  /** Whether text, bullets and captions carry the Markdown subset (bold, italic, code, links). */
  readonly markdown: boolean;
  readonly logo?: ImageRef;
  readonly sections: readonly ReportSection[];
}
